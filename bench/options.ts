import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
    'open-loop': { type: 'string' },
    acts: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
    pairs: { type: 'string', default: '5' },
  },
});

/** The options of the command line: `npm run bench -- NAME... [--profile] [--acts N] ...`. */
export const options = {
  names: positionals,
  /** Whether to write a CPU profile of the service and the statements of PostgreSQL for each scenario. */
  profile: values.profile,
  /** Only scenarios whose name contains this text are measured. */
  only: values.only,
  /** How many times `compare` runs each checkout. With five, the 95 % interval of the median is the whole range. */
  pairs: Number(values.pairs),
  /** The path of the file for the results. */
  json: values.json,
  /** Requests per second, sent without waiting for earlier responses. */
  openLoop: values['open-loop'] === undefined ? undefined : Number(values['open-loop']),
  /** The number of measured operations of each scenario. */
  operations: Number(values.acts),
};
