import type { ComponentChildren } from 'preact';

export type Bar = {
  /** Of the axis. */
  label: string;
  /** Of the table. */
  name: string;
  value: number;
  /** The value as people read it. */
  text: string;
};

const WIDTH = 360;
const HEIGHT = 150;
const FOOT = 20;
const TOP = 8;
const MOST_LABELS = 5;

/** Bars drawn on the server, with the same figures as a table below, folded. `id`: unique on the page. */
export function BarChart(props: {
  id: string;
  title: string;
  /** The headings of the table. */
  headings: [string, string];
  bars: readonly Bar[];
  children?: ComponentChildren;
}) {
  const { id, title, headings, bars } = props;
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const step = WIDTH / Math.max(bars.length, 1);
  const width = Math.max(1, Math.min(step * 0.7, 40));
  const room = HEIGHT - FOOT - TOP;
  const every = Math.ceil(bars.length / MOST_LABELS);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-titulo`}>
        <title id={`${id}-titulo`}>{title}</title>
        <line class="chart-axis" x1="0" x2={WIDTH} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
        {bars.map(({ value, label, name, text }, i) => {
          const height = Math.max((Math.max(value, 0) / most) * room, value > 0 ? 2 : 0);
          const x = i * step + (step - width) / 2;
          return (
            <g key={name}>
              {height > 0 && (
                <rect
                  class="chart-bar"
                  x={x.toFixed(1)}
                  y={(HEIGHT - FOOT - height).toFixed(1)}
                  width={width.toFixed(1)}
                  height={height.toFixed(1)}
                  rx={Math.min(width / 2, 4).toFixed(1)}
                >
                  <title>{`${name}: ${text}`}</title>
                </rect>
              )}
              {(bars.length - 1 - i) % every === 0 && (
                <text
                  class="chart-label"
                  x={(i * step + step / 2).toFixed(1)}
                  y={HEIGHT - 5}
                  text-anchor="middle"
                >
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <details>
        <summary>Ver em tabela</summary>
        <table class="ledger">
          <caption class="sr">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{headings[0]}</th>
              <th scope="col">{headings[1]}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, text }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      {props.children}
    </figure>
  );
}
