import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import type { Policy as PolicyType } from '#core/decision.ts';
import { reais } from '#platform/command-line/cells.ts';
import { type Arguments, type Command, CommandFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { Problem } from '#platform/problem.ts';
import { Policy } from '../schemas.ts';
import { mustBeSound, setPolicy } from '../set-policy.ts';
import type { DecisionsSettings } from '../settings.ts';
import { showPolicies } from '../show-policies.ts';
import { tryPolicy } from '../try-policy.ts';

const FILE = { name: 'FILE', help: 'the policy as JSON, as credit-policy show --json has it' };

export const creditPolicyShow = (settings: () => DecisionsSettings): Command =>
  readingCommand({
    name: 'credit-policy show',
    summary: 'show the credit policy in force, and its shadow',
    examples: ['semana credit-policy show --json'],
    async read({ db, clock }) {
      const { answer } = await showPolicies(db, settings().builtIn, clock.now());
      return { records: [answer], text: JSON.stringify(answer, null, 2) };
    },
  });

export const creditPolicySet = (settings: () => DecisionsSettings): Command => ({
  name: 'credit-policy set',
  summary: 'set the credit policy, or its shadow',
  positionals: [FILE],
  options: {
    shadow: { help: 'asked beside the one in force, and decides nothing' },
  },
  details: 'It counts for decisions from now on. Limits that were given stay as they are.',
  examples: ['semana credit-policy set policy.json', 'semana credit-policy set policy.json --shadow'],
  async run(context, args) {
    const policy = await readPolicy(args);
    const wanted = args.has('shadow') ? { shadow: policy } : { policy };
    const change = changeByCommand(context, 'credit-policy set');
    const { builtIn } = settings();
    const { force, shadow } = await sound(() =>
      context.db.transaction((tx) => setPolicy(tx, wanted, { change, builtIn })),
    );
    context.print(`Version ${args.has('shadow') ? shadow!.version : force.version} counts from now on.`);
  },
});

export const creditPolicyTry = (): Command =>
  readingCommand({
    name: 'credit-policy try',
    summary: 'try a credit policy on the last 10,000 decisions',
    positionals: [FILE],
    details: 'Nothing is changed.',
    examples: ['semana credit-policy try policy.json'],
    async read({ db, clock }, args) {
      const policy = await readPolicy(args);
      const tried = await sound(async () => {
        mustBeSound({ policy });
        return tryPolicy(db, policy, clock.now());
      });
      const table = tableOf(
        tried.changes,
        {
          MOMENT: 'moment',
          WAS: 'from',
          WOULD: 'to',
          DECISIONS: 'decisions',
          LIMITS: reais('limit_difference'),
        },
        'Nothing would have been decided differently.',
      );
      const { refused } = tried;
      const note =
        `Of ${tried.decisions} decisions ${tried.same} would be the same. Refused, ${refused.purchases} purchases would be missing: ` +
        `sold ${refused.sold.toFixed(2)}, paid ${refused.paid.toFixed(2)}, late ${refused.late.toFixed(2)}, lost ${refused.written_off.toFixed(2)}.`;
      return { records: [tried], text: table, note };
    },
  });

async function readPolicy({ positionals: [path = ''] }: Pick<Arguments, 'positionals'>): Promise<PolicyType> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandFault(`${path} cannot be read: ${error.message}`);
  });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new CommandFault(`${path} is not JSON.`);
  }
  const faults = [...Value.Errors(Policy, given)];
  if (faults.length > 0)
    throw new CommandFault(
      `${path} is no policy:\n${faults.map(({ instancePath, message }) => `  ${instancePath || '/'} ${message}`).join('\n')}`,
    );
  return given as PolicyType;
}

/** Faults of the policy, as the command line tells them. */
async function sound<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !error.detail.errors) throw error;
    const faults = error.detail.errors.map(({ pointer, message }) => `  ${pointer} ${message.en}`);
    throw new CommandFault(`The policy has faults:\n${faults.join('\n')}`);
  }
}
