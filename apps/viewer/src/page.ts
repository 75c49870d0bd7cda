// Puts the page together: header, 3-D view with its controls, plots, panels.
import { on_theme } from './colours';
import type { Report, Run } from './contract';
import { decode } from './data';
import { make, section } from './dom';
import { about } from './panels/about';
import { elements } from './panels/elements';
import { header, link_sections } from './panels/header';
import { ModeControls } from './panels/mode_controls';
import { playback } from './panels/playback';
import { RigControls, by_turns } from './panels/rig_controls';
import { tables } from './panels/tables';
import { answers, facts } from './panels/values';
import { view_controls } from './panels/view_controls';
import { Player } from './player';
import { ChartPlot } from './plots/chart';
import { TimePlots } from './plots/time_plots';
import { Track } from './poses';
import { watch_printer } from './print';
import { read_report } from './report';
import { Stage } from './scene/stage';
import { View, open_surface } from './scene/view';
import { open_seat } from './seat/seat';
import { StudyPage } from './study/study_page';
import { test_interface } from './test_interface';

const kSlowPlots = 100;  // ms between updates of the plots on a slow machine

/** First and last time of anything that moves. */
function player_of(report: Report, tracks: Track[]): Player {
  let start = Infinity;
  let end = -Infinity;
  const all = [...tracks.map((track) => track.times), ...(by_turns(report.runs) ? [] : report.runs.map((run) => decode(run.times)))];
  for (const times of all) {
    if (times.length === 0) continue;
    start = Math.min(start, times[0]);
    end = Math.max(end, times[times.length - 1]);
  }
  return start <= end ? new Player(start, end) : new Player(0, 0);
}

/** Poses of the runs; without any, the bodies where their file's origin is, so that a standing model is seen. */
function tracks_of(report: Report): Track[] {
  const count = report.model.bodies.length;
  if (by_turns(report.runs)) return [new Track(report.runs[0], count)];
  const tracks = report.runs.map((run) => new Track(run, count)).filter((track, k) => k === 0 || track.frames > 0);
  return tracks.length ? tracks : [new Track({ name: '', arrows: [], channels: [], marks: [] }, count)];
}

export function open_page(source: string): void {
  const { report, faults } = read_report(source);
  if (report.kind === 'drive') {
    open_seat(report, faults);
    return;
  }
  document.title = report.title;
  const tracks = tracks_of(report);
  const player = player_of(report, tracks);
  const page = make('div', { id: 'page' }, header(report, faults));
  const main = make('main', {});
  page.append(main);
  document.body.append(page);

  const has_scene = report.model.bodies.length > 0;
  const moves = player.length > 0;
  const plots = new TimePlots(report, player);
  const charts = report.charts.map((chart) => new ChartPlot(chart));
  const rig = by_turns(report.runs) && tracks[0].frames > 1 ? new RigControls(report.runs, player, tracks[0], charts) : null;
  const axis = (): Run['axis'] => (rig ? rig.axis : report.runs[0]?.axis);
  const study = report.study ? new StudyPage(report) : null;
  let stage: Stage | null = null;
  let view: View | null = null;
  let modes: ModeControls | null = null;
  const holder = make('div', { class: 'view' });
  const desk = make('div', { class: 'desk' });
  // of a study its views come first, the car that is picked beside them
  if (study) {
    main.append(make('div', { class: 'panels' }, study.axes));
    desk.append(study.matrix);
  }

  if (has_scene) {
    const box = section('view', '3-D view', holder);
    desk.append(box);
    main.append(desk);
    const surface = open_surface();
    if (surface) {
      stage = new Stage(report, tracks);
      view = new View(holder, stage, surface);
      if (moves) box.append(playback(player, axis));
      if (rig) box.append(rig.element);
      if (report.modes.length) box.append((modes = new ModeControls(report.modes, stage, view, report.kind === 'modes')).element);
      box.append(view_controls(view, stage));
    } else {
      holder.classList.add('none');
      holder.append('This browser has no WebGL: the car is not drawn, plots and tables are.');
      if (moves) box.append(playback(player, axis));
    }
  } else {
    main.append(desk);
    if (moves) desk.append(section('view', 'Time', playback(player, axis)));
  }
  if (study) {
    (desk.querySelector('#view') ?? desk).append(study.picked);
    if (stage && view) study.drive(stage, view);
  }
  // curves over time need one; of a model that stands its charts are beside it
  const chart_list = make('div', { class: 'chart-list' }, ...charts.map((chart) => chart.element));
  const chart_section = charts.length ? [section('charts', 'Charts', chart_list)] : [];
  const charts_beside = has_scene && (!moves || rig !== null) && charts.length > 0 && !study;
  if (moves && report.runs.some((run) => run.channels.length)) desk.append(section('plots', 'Plots', plots.element));
  else if (charts_beside) desk.append(...chart_section);
  // a standing model has its elements beside it, so that what is pointed at is seen
  const table = elements(report.model, (element) => {
    stage?.find(element?.name ?? null, element?.body, element?.point);
    view?.invalidate();
  });
  const beside = table !== null && has_scene && desk.children.length === 1 && charts.length === 0;
  if (beside) desk.append(table.element);
  desk.classList.toggle('one', desk.children.length === 1 || !has_scene);

  main.append(make('div', { class: 'panels' }, ...(study ? [study.table] : []),
    ...answers(report.answers), ...facts(report.facts), ...(charts_beside ? [] : chart_section),
    ...tables(report.tables), ...(table && !beside ? [table.element] : []), about(report)));
  link_sections(page);

  // one time for the car, the plots and the numbers
  let plotted = 0;
  let late = 0;
  player.follow((t) => {
    stage?.show(t);
    view?.invalidate();
    const wait = player.playing && view?.quality.now.slow_plots ? kSlowPlots - (performance.now() - plotted) : 0;
    clearTimeout(late);
    const show = (): void => {
      plotted = performance.now();
      plots.show(player.time);
    };
    if (wait > 0) late = window.setTimeout(show, wait);
    else show();
  });
  plots.show(player.time);
  stage?.show(player.time);
  rig?.choose(0);

  const rate = make('output', { class: 'rate', title: 'frames a second, and how far the picture was made simpler for it' });
  if (view) {
    holder.append(rate);
    const seen = view;
    seen.advance = (seconds) => {
      player.advance(seconds);
      const more = modes?.advance(seconds) ?? false;
      const running = player.playing || more;
      const text = running && seen.counter.rate > 0 ? `${seen.counter.rate.toFixed(0)} /s, quality ${5 - seen.quality.level} of 5` : '';
      if (rate.textContent !== text) rate.textContent = text;
      return running;
    };
    player.on_switch(() => seen.invalidate());
    watch_pointer(seen, table?.show ?? null);
  } else {
    without_view(player);
  }

  const chart_widths = (): void => charts.forEach((chart) => chart.resize(chart.element.clientWidth));
  new ResizeObserver(chart_widths).observe(chart_list);
  const repaint = (): void => {
    stage?.build();
    stage?.show(player.time);
    view?.draw();
    plots.redraw();
    charts.forEach((chart) => chart.redraw());
    study?.redraw();
  };
  on_theme(repaint);
  watch_printer({
    repaint,
    pictures: () => [
      ...(view ? [{ picture: view.picture(), after: holder }] : []),
      ...[...plots.plots, ...charts].map((plot) => ({ picture: plot.plot.ctx.canvas.toDataURL('image/png'), after: plot.element.querySelector<HTMLElement>('.plot-body')! })),
    ],
  });
  window.semirec = test_interface(player, plots, stage, view, modes, study, rig ? { choose: (k) => rig.choose(k), cursors: () => charts.map((chart) => chart.cursor) } : null);
}

/** Says what is under the pointer: its name and its line in the file. */
function watch_pointer(view: View, show: ((name: string | null) => void) | null): void {
  const tip = make('div', { class: 'tip', dir: 'auto', hidden: true });
  view.holder.append(tip);
  let waiting = false;
  view.holder.addEventListener('pointermove', (event) => {
    if (waiting || event.buttons) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      const found = view.element_under(event.clientX, event.clientY);
      tip.hidden = found === null;
      tip.textContent = found ? `${found.of}${found.line ? `, line ${found.line}` : ''}` : '';
      show?.(found?.of ?? null);
    }, 60);
  });
  view.holder.addEventListener('pointerleave', () => {
    tip.hidden = true;
    show?.(null);
  });
}

/** Without a 3-D view the time goes on all the same. */
function without_view(player: Player): void {
  let before = 0;
  const frame = (now: number): void => {
    player.advance(before ? (now - before) / 1000 : 0);
    before = player.playing ? now : 0;
    if (player.playing) requestAnimationFrame(frame);
  };
  player.on_switch(() => {
    if (player.playing && before === 0) requestAnimationFrame(frame);
  });
}
