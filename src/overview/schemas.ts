import { Type } from 'typebox';
import { PersonalOrNull } from '#platform/http/personal.ts';
import { ListOf, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { HIT_KINDS } from '#platform/http/search.ts';
import { AgingReport, WeeklyReport } from '#reports';

export const SearchQuery = Type.Object({
  q: Text(200, {
    description:
      'A name, phone or CPF of a customer, a hash, an id, a txid, an end-to-end id, a reference, or words of a merchant or a post.',
    examples: ['ana souza'],
  }),
});

const SearchHit = Type.Object(
  {
    kind: Type.Enum([...HIT_KINDS], { description: 'What it is.' }),
    id: Type.String({ description: 'What its own address has in it.' }),
    title: Type.String({ description: 'A few words in Portuguese.' }),
    customer_id: TextOrNull(),
    customer_name: PersonalOrNull('name', { description: 'Masked below `support`.' }),
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
        'How many of each wait for somebody: orphans, refused refunds, approvals, returns, reviews, leads, webhooks.',
    }),
    weekly: WeeklyReport,
    aging: AgingReport,
  },
  { $id: 'Today' },
);

export const SettingInForce = Type.Object(
  {
    name: Type.String({ examples: ['SOME_LIMIT'] }),
    meaning: Type.String({ examples: ['a merchant may owe so much, in reais'] }),
    value: TextOrNull({
      examples: ['500.00'],
      description: 'What is in force. `***`: a secret that is set. Null: nothing is.',
    }),
    is_default: Type.Boolean(),
  },
  { $id: 'SettingInForce' },
);

export const FailingJob = Type.Object(
  {
    id: Type.String({ examples: ['1042'] }),
    task: Type.String({ description: 'What it does.', examples: ['pix_sync'] }),
    attempts: Type.Integer({ description: 'How often it was tried.' }),
    max_attempts: Type.Integer({ description: 'After so many it is given up.' }),
    last_error: Type.String({ description: 'Why the last attempt failed.', examples: ['Timed out'] }),
    run_at: Timestamp({ description: 'When it is tried next, unless it was given up.' }),
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
    address: TextOrNull({ description: 'As the database sees it; null: the same machine.' }),
    since: Timestamp({ description: 'Since when it is in touch with the database.' }),
    jobs: Type.Integer({ description: 'How many jobs it is working on.' }),
  },
  { $id: 'ServiceNode' },
);
