// Made by bundle.mjs.
declare module 'licences' {
  const licences: { name: string; version: string; licence: string; text: string }[];
  export default licences;
}
declare module '*.css';
