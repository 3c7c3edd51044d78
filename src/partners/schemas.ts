import { Type } from 'typebox';
import { Form, Id, IntegerOrNull, Slug, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, SCOPES } from './api-key.ts';

export const PartnerShown = Type.Object(
  {
    id: Id('ptn', { description: 'The partner.' }),
    name: Type.String({ examples: ['Site institucional'] }),
    created_at: Timestamp(),
    keys: Type.Integer({ description: 'How many keys it has that are not revoked.' }),
  },
  { $id: 'Partner' },
);

export const PartnerForm = Form({
  name: Text(120, { description: 'What people call it. Unique.', examples: ['Site institucional'] }),
});

const requestsPerMinute = IntegerOrNull({
  minimum: 1,
  maximum: 999_999_999,
  description: `Requests a minute, ${DEFAULT_REQUESTS_PER_MINUTE} unless set; null: no limit.`,
});

const returnOrigins = Type.Array(Type.String({ maxLength: 200, examples: ['https://loja.example.com.br'] }), {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Origins that `return_url` of offers made with it may have: https, in the sandbox also http on this machine.',
});

export const KeyForm = Form(
  {
    partner: Text(120, { description: 'Id or name of the partner.' }),
    scopes: Type.Array(Type.Enum(SCOPES.filter((scope) => scope !== 'operator')), {
      minItems: 1,
      uniqueItems: true,
      description:
        'What the key may do. `merchant` needs `merchant`; `till` is for applications of merchants’ people, and never with `merchant`. People get theirs with `POST /admin/staff`.',
    }),
    label: Type.Optional(Text(120, { description: 'What the key is for.' })),
    merchant: Type.Optional(Slug({ description: 'Slug of the merchant whose key it is.' })),
    origins: Type.Optional(
      Type.Array(Type.String({ pattern: '^(\\*|https?://[^/?#\\s]+)$', maxLength: 200 }), {
        maxItems: 50,
        description: 'Browser origins that may use it, `*` for all. None: servers only.',
      }),
    ),
    return_origins: Type.Optional(returnOrigins),
    backend: Type.Optional(
      Type.Boolean({ description: 'Its header x-client-ip names the consumer’s address.' }),
    ),
    requests_per_minute: Type.Optional(requestsPerMinute),
  },
  {
    examples: [{ partner: 'Demo partner', scopes: ['public', 'wallet'], label: 'servidor', backend: true }],
  },
);

const key = {
  id: Id('key', { description: 'The key.' }),
  partner: Type.Object({ id: Id('ptn'), name: Type.String({ examples: ['Site institucional'] }) }),
  label: Type.String({ examples: ['servidor'] }),
  hint: Type.String({ description: 'Its first characters.', examples: ['semana_live_7hK2'] }),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  merchant_id: IntegerOrNull({ description: 'The merchant it is bound to.' }),
  person_id: TextOrNull({ description: 'The person it belongs to, with the scope `operator`.' }),
  origins: Type.Array(Type.String(), { examples: [[]] }),
  return_origins: returnOrigins,
  backend: Type.Boolean(),
  requests_per_minute: requestsPerMinute,
  created_at: Timestamp(),
  expires_at: TextOrNull({ format: 'date-time' }),
  revoked_at: TextOrNull({ format: 'date-time' }),
  last_used_at: TextOrNull({ format: 'date-time' }),
};

export const KeyShown = Type.Object(key, { $id: 'ApiKey' });

export const KeyItem = Type.Object(
  { ...key, merchant: TextOrNull({ description: 'Slug of the merchant it is bound to.' }) },
  { $id: 'ApiKeyItem' },
);

export const NewKeyShown = Type.Object(
  {
    ...key,
    key: Type.String({
      description: 'The key itself. It is not shown again.',
      examples: ['semana_live_7hK2…'],
    }),
  },
  { $id: 'NewApiKey' },
);

export const KeyChange = Form({ return_origins: returnOrigins });

/** Of the endpoints of one key. */
export const ofKey = {
  params: Type.Object({ id: Id('key', { description: 'The key.' }) }),
  notFound: { en: 'No key has this id.', pt: 'Nenhuma chave tem este id.' },
};
