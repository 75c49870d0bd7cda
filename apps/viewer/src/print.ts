// Plots and the 3-D view as pictures on white, made when the printer asks and taken away afterwards.
import { set_printing } from './colours';
import { make } from './dom';

export interface Printed { pictures: () => { picture: string; after: HTMLElement }[]; repaint: () => void }

export function watch_printer(page: Printed): void {
  let pictures: HTMLElement[] = [];
  addEventListener('beforeprint', () => {
    set_printing(true);
    page.repaint();
    pictures = page.pictures().map(({ picture, after }) => {
      const image = make('img', { class: 'printed', alt: '' });
      image.src = picture;
      after.append(image);
      return image;
    });
  });
  addEventListener('afterprint', () => {
    for (const picture of pictures) picture.remove();
    pictures = [];
    set_printing(false);
    page.repaint();
  });
}
