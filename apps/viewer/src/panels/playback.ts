// Play, pause, speed and the bar that scrubs.
import { button, make } from '../dom';
import { time_text, unit_text } from '../format';
import type { Player } from '../player';

const kSpeeds = [0.1, 0.2, 0.5, 1, 2];
const kSteps = 10000;  // of the bar
const kPlay = 'M3 1 L13 8 L3 15 Z';
const kPause = 'M3 1 H6 V15 H3 Z M10 1 H13 V15 H10 Z';

export function playback(player: Player, axis: () => { label: string; unit: string } | undefined): HTMLElement {
  const play = button('', 'play or pause (space)', () => player.play(!player.playing));
  const sign = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.append(sign);
  play.append(icon);
  play.classList.add('play');
  const bar = make('input', { type: 'range', class: 'scrub', min: '0', max: String(kSteps), step: 'any', value: '0', 'aria-label': axis()?.label ?? 'time' });
  const shown = make('output', { class: 'time' });
  const speed = make('select', { title: 'speed', 'aria-label': 'speed' });
  for (const factor of kSpeeds) speed.append(make('option', { value: String(factor), selected: factor === 1 }, `${factor}\u00d7`));
  speed.addEventListener('change', () => (player.speed = Number(speed.value)));
  bar.addEventListener('input', () => player.seek(player.start + (Number(bar.value) / kSteps) * player.length));
  const show = (t: number): void => {
    bar.value = String(player.length > 0 ? (kSteps * (t - player.start)) / player.length : 0);
    const text = `${time_text(t, player.length)} ${unit_text(axis()?.unit ?? 's')}`;
    shown.textContent = text;
    bar.setAttribute('aria-valuetext', text);
  };
  player.follow(show);
  const switched = (): void => {
    sign.setAttribute('d', player.playing ? kPause : kPlay);
    play.setAttribute('aria-label', player.playing ? 'pause' : 'play');
  };
  player.on_switch(switched);
  switched();
  show(player.time);
  document.addEventListener('keydown', (event) => {
    if ((event.target as HTMLElement).closest('input[type=search], select, button, summary, a')) return;
    const step = player.length / (event.shiftKey ? 20 : 200);
    if (event.key === ' ') player.play(!player.playing);
    else if (event.key === 'ArrowRight') player.seek(player.time + step);
    else if (event.key === 'ArrowLeft') player.seek(player.time - step);
    else return;
    event.preventDefault();
  });
  return make('div', { class: 'playback' }, play, bar, shown, speed);
}
