import { OUTCOMES } from '#core/decision.ts';
import { readReais } from '#core/money.ts';
import { ofCustomer } from '#customers';
import type { Events } from '#events';
import { instant, reais } from '#platform/command-line/cells.ts';
import { changingCommand } from '#platform/command-line/changing.ts';
import { type CommandContext, UsageFault } from '#platform/command-line/command.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { readText } from '#platform/command-line/values.ts';
import { answerDecision } from '../answer-review.ts';
import { renderDecision } from '../render.ts';
import type { DecisionsSettings } from '../settings.ts';
import { listedDecisions } from '../store.ts';

const DECISION_ID = { name: 'DECISION_ID', help: 'id of the decision, see credit-decision list' };

export const creditDecisionList = listingCommand({
  name: 'credit-decision list',
  summary: 'show credit decisions',
  filters: { customerId: ofCustomer, outcome: choice('OUTCOME', OUTCOMES) },
  examples: ['semana credit-decision list --outcome review'],
  listing: listedDecisions,
  render: (rows) => rows.map(renderDecision),
  columns: {
    ID: 'id',
    CUSTOMER: 'customer_id',
    MOMENT: 'moment',
    OUTCOME: 'outcome',
    LIMIT: reais('limit'),
    REASONS: ({ reasons }) => reasons.join(', '),
    POLICY: 'policy_version',
    DECIDED: instant('decided_at'),
  },
});

type Deps = { events: Events; settings: () => DecisionsSettings };

export const creditDecisionApprove = (deps: Deps) =>
  changingCommand({
    name: 'credit-decision approve',
    summary: 'approve what waits for a person',
    positionals: [DECISION_ID],
    options: { limit: { value: 'REAIS', help: 'the customer’s limit from now on' } },
    details:
      'A sign-up gets the first limit unless another is given. A purchase can be accepted by the customer now.',
    examples: ['semana credit-decision approve dec_01kfx3v9e2r4s6t8w0y2a4c6e8 --limit 300'],
    work(context, args) {
      const text = args.option('limit');
      const limit = text === undefined ? null : readReais(text);
      if (text !== undefined && (limit === null || limit < 0))
        throw new UsageFault(`--limit is '${text}'; it is an amount in reais, like 300.00.`);
      const { id, change } = context;
      const given = { id, outcome: 'approved', limit, reason: null } as const;
      return answerDecision(partsOf(context, deps), given, { change });
    },
    none,
    done: (_answered, id) => `${id} is approved.`,
  });

export const creditDecisionDecline = (deps: Deps) =>
  changingCommand({
    name: 'credit-decision decline',
    summary: 'decline what waits for a person',
    positionals: [DECISION_ID],
    options: { reason: { value: 'TEXT', help: 'why; the customer reads it', required: true } },
    examples: [
      'semana credit-decision decline dec_01kfx3v9e2r4s6t8w0y2a4c6e8 --reason "Os documentos não conferem"',
    ],
    work(context, args) {
      const { id, change } = context;
      const given = { id, outcome: 'declined', reason: readText(args, 'reason', 500) } as const;
      return answerDecision(partsOf(context, deps), given, { change });
    },
    none,
    done: (_answered, id) => `${id} is declined.`,
  });

const partsOf = ({ db }: CommandContext, { events, settings }: Deps) => ({
  db,
  events,
  builtIn: settings().builtIn,
});

const none = (id: string) => `There is no decision '${id}'; 'semana credit-decision list' shows them.`;
