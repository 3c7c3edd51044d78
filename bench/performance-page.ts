import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../test/project.ts';
import { type ClosedLoopResult, type StoredResults, tabulateResults } from './results.ts';

/** The file with the results of a complete run of `npm run bench -- selling pix --json bench/results.json`. */
const RESULTS_PATH = 'bench/results.json';
const PAGE_PATH = 'docs/performance.md';

const INTRODUCTION = `# Performance

Written by \`npm run bench -- page\` from \`${RESULTS_PATH}\`. To measure again, run \`npm run bench -- selling pix --json ${RESULTS_PATH}\` on an
otherwise idle machine. Pages, lists, reports and growth: [reports.md](reports.md), [scale.md](scale.md), [web.md](web.md).

Each operation is warmed up and then measured in nine rounds, which alternate with rounds of plain inserts of one row (16 connections, each
insert a transaction). The ratio is the rate of the operation divided by the rate of these inserts: the median of the rounds with its 95 %
interval. Ratios can be compared between machines; rates cannot. CPU time, statements, rows, WAL and disk include the jobs that follow an
operation. "CPU relative to an insert" is the CPU time of an operation in all processes, divided by that of one insert. It hardly depends
on other load.

| to | run |
|---|---|
| profile the service and list the statements of each operation (\`bench/profiles\`) | \`npm run bench -- pix --profile\` |
| measure only the operations whose name contains a text | \`npm run bench -- selling --only acceptance\` |
| send requests at a fixed rate, without waiting for earlier responses | \`npm run bench -- selling --open-loop 100\` |
| compare two working copies, which run alternately | \`npm run bench -- compare ../a ../b selling pix\` |
| compare two versions of Node | \`npm run bench -- compare . . selling pix --node ../node26/bin/node\` |
`;

/** Writes docs/performance.md and its plots. */
export function writePerformancePage(): void {
  const { machine, benches } = JSON.parse(readFileSync(join(PROJECT, RESULTS_PATH), 'utf8')) as StoredResults;
  mkdirSync(join(PROJECT, 'docs/plots'), { recursive: true });
  const sections = Object.entries(benches).map(([bench, results]) => {
    const closedLoopResults = results.filter((result) => result.openLoop === undefined);
    writeFileSync(join(PROJECT, `docs/plots/${bench}.svg`), plotRatios(closedLoopResults));
    const plot =
      closedLoopResults.length > 0 ? [`![Ratio of each operation to plain inserts](plots/${bench}.svg)`] : [];
    const tables = tabulateResults('operation', results).map(toMarkdown);
    return [`## ${bench[0]!.toUpperCase()}${bench.slice(1)}`, ...plot, ...tables].join('\n\n');
  });
  const text = [INTRODUCTION.trimEnd(), `Measured on: ${machine}.`, ...sections].join('\n\n');
  writeFileSync(join(PROJECT, PAGE_PATH), `${text}\n`);
}

const toMarkdown = ({ headings, rows }: { headings: string[]; rows: string[][] }) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const ROW_HEIGHT = 26;
const LABEL_WIDTH = 220;
const BAR_WIDTH = 420;
/** The width that is left for the ratio at the end of the longest bar. */
const RATIO_WIDTH = 60;
/** The space above and below a bar. */
const BAR_MARGIN = 5;
const TEXT_MARGIN = 8;
/** The distance from the middle of a text to its baseline. */
const BASELINE_OFFSET = 4;

/** Renders an SVG with a bar for each operation, and the 95 % interval as a line on the bar. */
function plotRatios(results: readonly ClosedLoopResult[]): string {
  const maxRatio = Math.max(...results.map(({ ratio }) => ratio.high));
  const toX = (ratio: number) => Math.round(LABEL_WIDTH + (ratio / maxRatio) * BAR_WIDTH);
  const bars = results.map(({ name, ratio }, i) => {
    const y = i * ROW_HEIGHT;
    const middleY = y + ROW_HEIGHT / 2;
    const baselineY = middleY + BASELINE_OFFSET;
    return [
      `<text x="${LABEL_WIDTH - TEXT_MARGIN}" y="${baselineY}" text-anchor="end">${name}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${y + BAR_MARGIN}" width="${toX(ratio.median) - LABEL_WIDTH}" height="${ROW_HEIGHT - 2 * BAR_MARGIN}" fill="#4b7bec"/>`,
      `<line x1="${toX(ratio.low)}" x2="${toX(ratio.high)}" y1="${middleY}" y2="${middleY}" stroke="#111" stroke-width="2"/>`,
      `<text x="${toX(ratio.high) + TEXT_MARGIN}" y="${baselineY}">${ratio.median.toFixed(3)}</text>`,
    ].join('\n');
  });
  const [width, height] = [LABEL_WIDTH + BAR_WIDTH + RATIO_WIDTH, results.length * ROW_HEIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#fff"/>
${bars.join('\n')}
</svg>
`;
}
