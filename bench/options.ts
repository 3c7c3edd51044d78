import { parseArgs } from 'node:util';

const USAGE = `npm run bench                          runs all benches
npm run bench -- NAME...               runs some benches: selling, pix, catalog, ...
npm run bench -- compare A B NAME...   runs the benches of two working copies alternately
npm run bench -- page                  writes docs/performance.md from bench/results.json

  --operations N  measures N operations of each scenario (2000)
  --only TEXT     measures only scenarios whose name contains the text
  --open-loop N   sends N requests a second, without waiting for responses
  --profile       writes CPU profiles and statements to bench/profiles
  --json FILE     adds the results to a file
  --pairs N       lets compare run each working copy N times (5)
  --node PATH     lets compare run copy B with this Node (the same as that of A)
`;

const { values, positionals } = parseOptions();
if (values.help) exit(USAGE, 0);

/** The options of the command line. */
export const options = {
  /** The names of the benches to run, or the command `compare` or `page` and its arguments. */
  positionals,
  /** Whether to write a CPU profile of the service and the statements of PostgreSQL for each scenario. */
  profile: values.profile,
  /** Only scenarios whose name contains this text are measured. */
  nameFilter: values.only,
  /** The number of runs of each working copy by `compare`. With five or fewer, the interval of the median is the range of all values. */
  pairs: parseCount('pairs', values.pairs),
  /** The path of the Node that runs the second working copy of `compare`. */
  secondNode: values.node ?? process.execPath,
  /** The path of the file to which the results are added. */
  resultsPath: values.json,
  /** Requests per second, sent without waiting for earlier responses. */
  openLoopRate: values['open-loop'] === undefined ? undefined : parseCount('open-loop', values['open-loop']),
  /** The number of measured operations of each scenario. */
  operations: parseCount('operations', values.operations),
};

function parseOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        profile: { type: 'boolean', default: false },
        json: { type: 'string' },
        'open-loop': { type: 'string' },
        operations: { type: 'string', default: '2000' },
        only: { type: 'string', default: '' },
        pairs: { type: 'string', default: '5' },
        node: { type: 'string' },
      },
    });
  } catch (error) {
    return exit(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

function parseCount(name: string, text: string): number {
  return /^[1-9]\d{0,6}$/.test(text)
    ? Number(text)
    : exit(`--${name} requires a number from 1, not '${text}'.\n`, 2);
}

function exit(message: string, code: 0 | 2): never {
  (code === 0 ? process.stdout : process.stderr).write(message);
  process.exit(code);
}
