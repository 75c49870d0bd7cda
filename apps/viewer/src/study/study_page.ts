// The sections of a page that shows a study, and the 3-D view that follows the car which is picked.
import type { Model, Report } from '../contract';
import { decode } from '../data';
import { make, section, words_of } from '../dom';
import type { Stage } from '../scene/stage';
import type { View } from '../scene/view';
import { brush_bar, car_table, column_chooser, picked_car } from './cars';
import { Parallel } from './parallel';
import { Samples } from './samples';
import { ScatterMatrix } from './scatter';

export class StudyPage {
  readonly samples: Samples;
  readonly parallel: Parallel;
  readonly scatter: ScatterMatrix;
  // what is brushed stands below the axes, that they stay under the hand which brushes
  readonly axes: HTMLElement;
  readonly matrix: HTMLElement;
  readonly table: HTMLElement;
  readonly picked: HTMLElement;

  constructor(private readonly report: Report) {
    const study = report.study!;
    this.samples = new Samples(study);
    this.parallel = new Parallel(this.samples);
    this.scatter = new ScatterMatrix(this.samples);
    this.axes = section('axes', 'Parallel axes', column_chooser(this.samples), this.parallel.element, brush_bar(this.samples));
    this.matrix = section('matrix', 'Scatter matrix', this.scatter.element);
    this.table = section('cars', 'Cars', car_table(this.samples));
    this.picked = make('div', {}, ...(study.drawn ? [words_of(study.drawn, 'p', 'count')] : []), picked_car(this.samples));
    this.samples.follow(() => {
      this.parallel.invalidate();
      this.scatter.invalidate();
    });
  }

  /** Lets the 3-D view show the car that is picked, where the page holds its drawing. */
  drive(stage: Stage, view: View): void {
    const { study, model, runs } = this.report;
    const home = decode(runs[0]?.poses?.bodies, 7 * model.bodies.length);
    let shown = -1;
    this.samples.follow(() => {
      const found = study!.cars.findIndex((car) => car.row === this.samples.picked);
      if (found === shown) return;
      shown = found;
      if (found < 0) {
        stage.show_car(model, home);
      } else {
        const car = study!.cars[found];
        const other: Model = { ...model, shapes: [...model.shapes] };
        for (const { place, shape } of car.shapes) if (place < other.shapes.length) other.shapes[place] = shape;
        stage.show_car(other, decode(car.poses));
      }
      view.invalidate();
    });
  }

  redraw(): void {
    this.parallel.draw();
    this.scatter.draw();
  }
}
