// Puts still pictures (WebP) together to one that moves, as developers.google.com/speed/webp/docs/riff_container says.

const kAnimated = 0x02;  // flag of VP8X
const kPlainly = 0x02;   // flag of a frame: in place of what was there

const number = (value, bytes) => Buffer.from(Array.from({ length: bytes }, (_, k) => (value >>> (8 * k)) & 255));

/** A chunk with its length, on an even number of bytes. */
function chunk(name, ...parts) {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name, 'latin1'), number(data.length, 4), data, Buffer.alloc(data.length % 2)]);
}

/** The chunks of a still picture that hold it. */
function picture_of(still) {
  if (still.toString('latin1', 0, 4) !== 'RIFF' || still.toString('latin1', 8, 12) !== 'WEBP') throw new Error('a frame is no WebP');
  const found = [];
  for (let at = 12; at + 8 <= still.length;) {
    const length = still.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (['ALPH', 'VP8 ', 'VP8L'].includes(still.toString('latin1', at, at + 4))) found.push(still.subarray(at, next));
    at = next;
  }
  return Buffer.concat(found);
}

/** `stills`: WebP files of one size in pixels; `interval`: of the frames, ms. Goes round for ever. */
export function animated_webp(stills, width, height, interval) {
  const size = [number(width - 1, 3), number(height - 1, 3)];
  const frames = stills.map((still) => chunk('ANMF', number(0, 3), number(0, 3), ...size, number(interval, 3), number(kPlainly, 1), picture_of(still)));
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), chunk('VP8X', number(kAnimated, 1), number(0, 3), ...size), chunk('ANIM', number(0, 4), number(0, 2)), ...frames]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), number(body.length, 4), body]);
}
