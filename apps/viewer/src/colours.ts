// Colours that the colour-blind tell apart (M. Okabe and K. Ito, "Color Universal Design", 2008), for light and dark.

const kLight = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const kDark = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#f0e442', '#d55e00', '#ffffff'];

const query = matchMedia('(prefers-color-scheme: dark)');
let printing = false;

/** Paper is white. */
export function set_printing(on: boolean): void {
  printing = on;
}

export const is_dark = (): boolean => query.matches && !printing;

export function on_theme(act: () => void): void {
  query.addEventListener('change', act);
}

/** The colour of the k-th run or series. */
export function series_colour(k: number): string {
  const colours = is_dark() ? kDark : kLight;
  return colours[k % colours.length];
}

/** Colours of what is drawn on canvases. */
export interface Paint {
  text: string; faint: string; grid: string; ground: string; sky: string; arm: string; metal: string; dark_metal: string;
  tyre: string; rim: string; chassis: string; spring: string; damper: string; bar: string; body: string;
  joint: string; cut: string; bushing: string; com: string; tyre_force: string; joint_force: string; rod_force: string; load: string;
  suspect: string; found: string; trace: string;
}

export function paint(): Paint {
  const dark = is_dark();
  return {
    text: dark ? '#d5dade' : '#20262c',
    faint: dark ? '#39424a' : '#d9dee3',
    grid: dark ? '#2f373e' : '#b9c1c9',
    ground: dark ? '#20262b' : '#dfe3e7',
    sky: dark ? '#14181b' : '#f3f5f7',
    arm: '#7f8f9f',
    metal: '#a9b3bc',
    dark_metal: '#5d6873',
    tyre: dark ? '#3c4248' : '#33383d',
    rim: '#c8d0d6',
    chassis: dark ? '#9aa7b3' : '#4b5966',
    spring: '#e69f00',
    damper: '#56b4e9',
    bar: '#009e73',
    body: '#8fa9bf',
    joint: '#0072b2',
    cut: '#d55e00',
    bushing: '#cc79a7',
    com: dark ? '#ffffff' : '#000000',
    tyre_force: '#d55e00',
    joint_force: '#0072b2',
    rod_force: '#cc79a7',
    load: '#009e73',
    suspect: '#e0202a',
    found: '#f0e442',
    trace: dark ? '#f0e442' : '#0072b2',
  };
}
