import { inReais } from '../text/format.ts';

export type Bar = {
  label: string;
  /** Under the bar, if the label is too long. */
  short?: string;
  /** One for each series. */
  values: readonly number[];
  /** The rows behind it. */
  href?: string | undefined;
};

const HEIGHT = 180;
const FOOT = 28;
const GAP = 0.3;
/** Of a bar, where there are few. */
const WIDEST = 96;
/** The width that a label takes. */
const LABEL = 64;

type Chart = {
  title: string;
  series: readonly string[];
  bars: readonly Bar[];
  /** What a bar is, and how its values are written. */
  of?: string;
  show?: (value: number) => string;
};

/**
 * Bars as SVG, drawn on the server. The figures are in the table beside it: nothing is only a colour. `width`: of the drawing,
 * in whose units labels are 13 high: less is larger on a phone. `isFolded`: the table is opened by who wants it.
 */
export function BarChart({
  width = 640,
  isFolded = false,
  ...chart
}: Chart & { width?: number; isFolded?: boolean }) {
  const { title, series, bars, show = inReais } = chart;
  const most = Math.max(1, ...bars.flatMap(({ values }) => values));
  const step = width / Math.max(1, bars.length);
  const every = Math.ceil(LABEL / step);
  const wide = Math.min(WIDEST, (step * (1 - GAP)) / series.length);
  const high = (value: number) => Math.max(0, (value / most) * (HEIGHT - 12));
  return (
    <figure class={series.length > 1 ? 'chart many' : 'chart'}>
      <figcaption>
        {title}
        <span class="chart-key">
          {series.map((name, i) => (
            <span key={name}>
              <svg width="12" height="12" aria-hidden="true">
                <rect class={`chart-bar s${i}`} width="12" height="12" rx="3" />
              </svg>{' '}
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT + FOOT}`} aria-hidden="true" class="chart-picture">
        <line class="chart-base" x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} />
        {bars.map(({ label, short = label, values }, at) => (
          <g key={label}>
            {values.map((value, i) => (
              <rect
                key={series[i]}
                class={`chart-bar s${i}`}
                x={step * (at + 0.5) + wide * (i - series.length / 2)}
                y={HEIGHT - high(value)}
                width={Math.max(1, wide - 2)}
                height={high(value)}
                rx="3"
              >
                <title>
                  {label}, {series[i]}: {show(value)}
                </title>
              </rect>
            ))}
            {(bars.length - 1 - at) % every === 0 && (
              <text class="chart-label" {...placeOf(at, step, width)} y={HEIGHT + 20}>
                {short}
              </text>
            )}
          </g>
        ))}
      </svg>
      {isFolded ? (
        <details>
          <summary>Ver em tabela</summary>
          <Figures {...chart} />
        </details>
      ) : (
        <Figures {...chart} />
      )}
    </figure>
  );
}

/** Under the middle of its bar; the last one ends with the drawing. */
const placeOf = (at: number, step: number, width: number) =>
  step * (at + 0.5) + LABEL / 2 > width
    ? { x: width, 'text-anchor': 'end' as const }
    : { x: step * (at + 0.5), 'text-anchor': 'middle' as const };

const Figures = ({ title, series, bars, of = 'Período', show = inReais }: Chart) => (
  <div class="office-table">
    <table>
      <caption class="sr">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          {series.map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, values, href }) => (
          <tr key={label}>
            <th scope="row">{href ? <a href={href}>{label}</a> : label}</th>
            {values.map((value, i) => (
              <td key={series[i]} class="number">
                {show(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
