import { OUTCOMES } from '#core/decision.ts';
import { readReais } from '#core/money.ts';
import { CUSTOMER_OPTION, customerOption } from '#customers';
import type { Events } from '#events';
import {
  type Command,
  type CommandContext,
  CommandFault,
  UsageFault,
} from '#platform/command-line/command.ts';
import { choiceOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { readText } from '#platform/command-line/values.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { answerDecision } from '../answer-review.ts';
import { renderDecision } from '../render.ts';
import type { DecisionsSettings } from '../settings.ts';
import { listedDecisions } from '../store.ts';

const DECISION_ID = { name: 'DECISION_ID', help: 'id of the decision, see credit-decision list' };

export const creditDecisionList = listingCommand({
  name: 'credit-decision list',
  summary: 'show credit decisions',
  options: {
    customer: CUSTOMER_OPTION,
    outcome: { value: 'OUTCOME', help: OUTCOMES.join(', ') },
  },
  examples: ['semana credit-decision list --outcome review'],
  async listing(context, args) {
    const customerId = await customerOption(context, args);
    return listedDecisions({ customerId, outcome: choiceOf(args, 'outcome', OUTCOMES) });
  },
  render: (rows) => rows.map(renderDecision),
  columns: {
    ID: ({ id }) => id,
    CUSTOMER: ({ customer_id }) => customer_id,
    MOMENT: ({ moment }) => moment,
    OUTCOME: ({ outcome }) => outcome,
    LIMIT: ({ limit }) => limit.toFixed(2),
    REASONS: ({ reasons }) => reasons.join(', '),
    POLICY: ({ policy_version }) => String(policy_version),
    DECIDED: ({ decided_at }) => shownInstant(decided_at),
  },
});

type Deps = { events: Events; settings: () => DecisionsSettings };

export const creditDecisionApprove = (deps: Deps): Command => ({
  name: 'credit-decision approve',
  summary: 'approve what waits for a person',
  positionals: [DECISION_ID],
  options: { limit: { value: 'REAIS', help: 'the customer’s limit from now on' } },
  details:
    'A sign-up gets the first limit unless another is given. A purchase can be accepted by the customer now.',
  examples: ['semana credit-decision approve dec_01kfx3v9e2r4s6t8w0y2a4c6e8 --limit 300'],
  async run(context, args) {
    const given = args.option('limit');
    const limit = given === undefined ? null : readReais(given);
    if (given !== undefined && (limit === null || limit < 0))
      throw new UsageFault(`--limit is '${given}'; it is an amount in reais, like 300.00.`);
    const [id = ''] = args.positionals;
    await answer(context, deps, 'credit-decision approve', { id, outcome: 'approved', limit, reason: null });
    context.print(`${id} is approved.`);
  },
});

export const creditDecisionDecline = (deps: Deps): Command => ({
  name: 'credit-decision decline',
  summary: 'decline what waits for a person',
  positionals: [DECISION_ID],
  options: { reason: { value: 'TEXT', help: 'why; the customer reads it', required: true } },
  examples: [
    'semana credit-decision decline dec_01kfx3v9e2r4s6t8w0y2a4c6e8 --reason "Os documentos não conferem"',
  ],
  async run(context, args) {
    const reason = readText(args, 'reason', 500);
    const [id = ''] = args.positionals;
    await answer(context, deps, 'credit-decision decline', { id, outcome: 'declined', reason });
    context.print(`${id} is declined.`);
  },
});

type DecisionAnswer = Parameters<typeof answerDecision>[1];

async function answer(
  context: CommandContext,
  { events, settings }: Deps,
  name: string,
  given: DecisionAnswer,
): Promise<void> {
  const { builtIn } = settings();
  const change = changeByCommand(context, name);
  const answered = await answerDecision({ db: context.db, events, builtIn }, given, { change });
  if (!answered)
    throw new CommandFault(`There is no decision '${given.id}'; 'semana credit-decision list' shows them.`);
}
