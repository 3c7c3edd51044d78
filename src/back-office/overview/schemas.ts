import { Type } from 'typebox';
import { PersonalOrNull } from '#platform/http/masking.ts';
import { ListOf, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { SEARCH_HIT_KINDS } from '#platform/http/search.ts';
import { AgingReport, WeeklyReport } from '../reports/schemas.ts';

export const SearchQuery = Type.Object({
  q: Text(200, {
    description:
      'Name, phone or CPF of a customer, a hash, an id, a txid, an end-to-end id, a reference, or words of a merchant or a post.',
    examples: ['ana souza'],
  }),
});

const SearchHit = Type.Object(
  {
    kind: Type.Enum([...SEARCH_HIT_KINDS], { description: 'Kind of the hit.' }),
    id: Type.String({ description: 'Id or slug in the URL of the hit.' }),
    title: Type.String({ description: 'Short description in Portuguese.' }),
    customer_id: TextOrNull(),
    customer_name: PersonalOrNull('name', { description: 'Masked below the role `support`.' }),
  },
  {
    $id: 'SearchHit',
    examples: [
      {
        kind: 'customer',
        id: 'cus_01kfx3c8gq5v0m7d2h9ynwztb4',
        title: 'Cliente',
        customer_id: 'cus_01kfx3c8gq5v0m7d2h9ynwztb4',
        customer_name: 'Ana Souza',
      },
    ],
  },
);
export const SearchResult = ListOf(SearchHit);

export const Today = Type.Object(
  {
    on: Type.String({ format: 'date', description: 'Today in São Paulo.', examples: ['2026-11-15'] }),
    waiting: Type.Record(Type.String(), Type.Integer(), {
      examples: [{ orphans: 2, approvals: 1, leads: 4 }],
      description:
        'Number of pending items of each kind: orphans, refused refunds, approvals, returns, reviews, rewards of invitations, leads, webhooks.',
    }),
    weekly: WeeklyReport,
    aging: AgingReport,
  },
  { $id: 'Today' },
);

export const SettingInForce = Type.Object(
  {
    name: Type.String({ examples: ['SOME_LIMIT'] }),
    meaning: Type.String({ examples: ['maximum debt of a merchant, in reais'] }),
    value: TextOrNull({
      examples: ['500.00'],
      description: 'The effective value; `***` for a secret; null if it is not set.',
    }),
    is_default: Type.Boolean(),
  },
  { $id: 'SettingInForce' },
);

export const FailingJob = Type.Object(
  {
    id: Type.String({ examples: ['1042'] }),
    task: Type.String({ description: 'Name of the task.', examples: ['pix_sync'] }),
    attempts: Type.Integer({ description: 'Number of attempts so far.' }),
    max_attempts: Type.Integer({ description: 'Maximum number of attempts.' }),
    last_error: Type.String({ description: 'Why the last attempt failed.', examples: ['Timed out'] }),
    run_at: Timestamp({ description: 'Time of the next attempt, if there are attempts left.' }),
    created_at: Timestamp(),
    is_running: Type.Boolean(),
  },
  { $id: 'FailingJob' },
);
export const JobParams = Type.Object({ id: Type.String({ pattern: '^[0-9]{1,18}$' }) });

export const ServiceNode = Type.Object(
  {
    id: Type.String({ examples: ['semana-0f1e2d3c4b5a69788796a5b4'] }),
    release: Type.String({ examples: ['0.2.0'] }),
    address: TextOrNull({ description: 'IP address as the database sees it; null for the same machine.' }),
    since: Timestamp({ description: 'Since when the node is connected to the database.' }),
    jobs: Type.Integer({ description: 'Number of running jobs.' }),
  },
  { $id: 'ServiceNode' },
);
