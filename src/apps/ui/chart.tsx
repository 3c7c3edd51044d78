import { formatReais } from '../text/format.ts';

/** The bars of one category, side by side. `values` has one value for each series of the chart. */
export type ChartCategory = {
  label: string;
  /** Rendered below the bars instead of a label that is too long. */
  shortLabel?: string;
  values: readonly number[];
  href?: string | undefined;
};

const HEIGHT = 180;
const LABEL_HEIGHT = 28;
/** The height above the highest bar. */
const TOP_MARGIN = 12;
/** The share of a category's width that has no bars. */
const GAP_SHARE = 0.3;
const MAX_BAR_WIDTH = 96;
const LABEL_WIDTH = 64;
/** The distance from the base line to the baseline of the labels. */
const LABEL_OFFSET = 20;
const SPACE_BETWEEN_BARS = 2;

type Chart = {
  title: string;
  /** The names of the series. */
  series: readonly string[];
  categories: readonly ChartCategory[];
  categoryLabel?: string;
  formatValue?: (value: number) => string;
};

/**
 * A bar chart as SVG, rendered on the server, with a table of the same figures, so that no figure depends on colour alone. The CSS
 * classes s0, s1 and s2 colour the series.
 * `width` is the width of the view box. The SVG is scaled to the page, so a smaller view box makes labels larger on a phone.
 * `isFolded` hides the table until the reader opens it.
 */
export function BarChart({
  width = 640,
  isFolded = false,
  ...chart
}: Chart & { width?: number; isFolded?: boolean }) {
  const { title, series, categories, formatValue = formatReais } = chart;
  const maxValue = Math.max(1, ...categories.flatMap(({ values }) => values));
  const slotWidth = width / Math.max(1, categories.length);
  // Labels that would overlap are left out. The last category always has a label.
  const labelInterval = Math.ceil(LABEL_WIDTH / slotWidth);
  const barWidth = Math.min(MAX_BAR_WIDTH, (slotWidth * (1 - GAP_SHARE)) / series.length);
  const computeBarHeight = (value: number) => Math.max(0, (value / maxValue) * (HEIGHT - TOP_MARGIN));
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
      <svg viewBox={`0 0 ${width} ${HEIGHT + LABEL_HEIGHT}`} aria-hidden="true" class="chart-picture">
        <line class="chart-base" x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} />
        {categories.map(({ label, shortLabel = label, values }, index) => (
          <g key={label}>
            {values.map((value, i) => (
              <rect
                key={series[i]}
                class={`chart-bar s${i}`}
                x={slotWidth * (index + 0.5) + barWidth * (i - series.length / 2)}
                y={HEIGHT - computeBarHeight(value)}
                width={Math.max(1, barWidth - SPACE_BETWEEN_BARS)}
                height={computeBarHeight(value)}
                rx="3"
              >
                <title>
                  {label}, {series[i]}: {formatValue(value)}
                </title>
              </rect>
            ))}
            {(categories.length - 1 - index) % labelInterval === 0 && (
              <text
                class="chart-label"
                {...computeLabelPosition(index, slotWidth, width)}
                y={HEIGHT + LABEL_OFFSET}
              >
                {shortLabel}
              </text>
            )}
          </g>
        ))}
      </svg>
      {isFolded ? (
        <details>
          <summary>Ver em tabela</summary>
          <FigureTable {...chart} />
        </details>
      ) : (
        <FigureTable {...chart} />
      )}
    </figure>
  );
}

/** Centres a label under its bars; a label that would overflow is aligned with the right edge. */
const computeLabelPosition = (index: number, slotWidth: number, width: number) =>
  slotWidth * (index + 0.5) + LABEL_WIDTH / 2 > width
    ? { x: width, 'text-anchor': 'end' as const }
    : { x: slotWidth * (index + 0.5), 'text-anchor': 'middle' as const };

const FigureTable = ({
  title,
  series,
  categories,
  categoryLabel = 'Período',
  formatValue = formatReais,
}: Chart) => (
  <div class="office-table">
    <table>
      <caption class="sr">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{categoryLabel}</th>
          {series.map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {categories.map(({ label, values, href }) => (
          <tr key={label}>
            <th scope="row">{href ? <a href={href}>{label}</a> : label}</th>
            {values.map((value, i) => (
              <td key={series[i]} class="number">
                {formatValue(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
