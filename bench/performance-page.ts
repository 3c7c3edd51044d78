import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../test/project.ts';
import { type ClosedLoopResult, type StoredResults, tabulateResults } from './results.ts';

/** The results of a complete run of `npm run bench -- selling pix --json bench/results.json`. */
const RESULTS = 'bench/results.json';
const PAGE = 'docs/performance.md';

const INTRODUCTION = `# Performance

Written by \`npm run bench -- page\` from \`${RESULTS}\`. To measure again, run \`npm run bench -- selling pix --json ${RESULTS}\` on an
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
| compare two checkouts, which run alternately | \`npm run bench -- compare ../a ../b selling pix\` |
| compare two versions of Node | \`npm run bench -- compare . . selling pix --node ../node26/bin/node\` |
`;

/** Writes the page and its plots. */
export function writePerformancePage(): void {
  const { machine, benches } = JSON.parse(readFileSync(join(PROJECT, RESULTS), 'utf8')) as StoredResults;
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
  writeFileSync(join(PROJECT, PAGE), `${text}\n`);
}

const toMarkdown = ({ headings, rows }: { headings: string[]; rows: string[][] }) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const ROW_HEIGHT = 26;
const LABEL_WIDTH = 220;
const BAR_WIDTH = 420;

/** Renders a bar for each operation, with the 95 % interval as a line. */
function plotRatios(results: readonly ClosedLoopResult[]): string {
  const max = Math.max(...results.map(({ ratio }) => ratio.high));
  const toX = (ratio: number) => Math.round(LABEL_WIDTH + (ratio / max) * BAR_WIDTH);
  const bars = results.map(({ name, ratio }, i) => {
    const y = i * ROW_HEIGHT;
    const middle = y + ROW_HEIGHT / 2;
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${name}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${y + 5}" width="${toX(ratio.median) - LABEL_WIDTH}" height="${ROW_HEIGHT - 10}" fill="#4b7bec"/>`,
      `<line x1="${toX(ratio.low)}" x2="${toX(ratio.high)}" y1="${middle}" y2="${middle}" stroke="#111" stroke-width="2"/>`,
      `<text x="${toX(ratio.high) + 6}" y="${middle + 4}">${ratio.median.toFixed(3)}</text>`,
    ].join('\n');
  });
  const [width, height] = [LABEL_WIDTH + BAR_WIDTH + 60, results.length * ROW_HEIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#fff"/>
${bars.join('\n')}
</svg>
`;
}
