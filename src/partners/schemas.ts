import { Type } from 'typebox';
import {
  BooleanField,
  Id,
  IntegerOrNull,
  Slug,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, SCOPES } from './api-key.ts';

export const PartnerView = Type.Object(
  {
    id: Id('ptn', { description: 'The partner.' }),
    name: Type.String({ examples: ['Site institucional'] }),
    created_at: Timestamp(),
    keys: Type.Integer({ description: 'Number of keys that are not revoked.' }),
  },
  { $id: 'Partner' },
);

export const PartnerForm = StrictObject({
  name: Text(120, { description: 'Unique display name.', examples: ['Site institucional'] }),
});

const requestsPerMinute = IntegerOrNull({
  minimum: 1,
  maximum: 999_999_999,
  description: `Requests per minute, default ${DEFAULT_REQUESTS_PER_MINUTE}; null: no limit.`,
});

const returnOrigins = Type.Array(Type.String({ maxLength: 200, examples: ['https://loja.example.com.br'] }), {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Allowed origins of `return_url` in offers created with the key: https, in the sandbox also http on this machine.',
});

export const KeyForm = StrictObject(
  {
    partner: Text(120, { description: 'Id or name of the partner.' }),
    scopes: Type.Array(Type.Enum(SCOPES.filter((scope) => scope !== 'operator')), {
      minItems: 1,
      uniqueItems: true,
      description:
        'Scopes of the key. The scope `merchant` requires the field `merchant`. `till` is for applications that members of merchants log in to, and cannot be combined with `merchant`. Staff users get their keys from `POST /admin/staff`.',
    }),
    label: Type.Optional(Text(120, { description: 'Purpose of the key.' })),
    merchant: Type.Optional(Slug({ description: 'Slug of the merchant of the key.' })),
    origins: Type.Optional(
      Type.Array(Type.String({ pattern: '^(\\*|https?://[^/?#\\s]+)$', maxLength: 200 }), {
        maxItems: 50,
        description:
          'Browser origins that may use the key, `*` for all. Without origins only servers can use it.',
      }),
    ),
    return_origins: Type.Optional(returnOrigins),
    backend: Type.Optional(
      BooleanField('Whether a server uses the key and sends consumers’ IP addresses in x-client-ip.'),
    ),
    requests_per_minute: Type.Optional(requestsPerMinute),
  },
  {
    examples: [{ partner: 'Demo partner', scopes: ['public', 'wallet'], label: 'servidor', backend: true }],
  },
);

const keyFields = {
  id: Id('key', { description: 'The key.' }),
  partner: Type.Object({ id: Id('ptn'), name: Type.String({ examples: ['Site institucional'] }) }),
  label: Type.String({ examples: ['servidor'] }),
  hint: Type.String({ description: 'The first characters of the key.', examples: ['semana_live_7hK2'] }),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  merchant_id: IntegerOrNull({ description: 'The merchant of the key, with the scope `merchant`.' }),
  person_id: TextOrNull({ description: 'The staff user of the key, with the scope `operator`.' }),
  origins: Type.Array(Type.String(), { examples: [[]] }),
  return_origins: returnOrigins,
  backend: Type.Boolean(),
  requests_per_minute: requestsPerMinute,
  created_at: Timestamp(),
  expires_at: TextOrNull({ format: 'date-time' }),
  revoked_at: TextOrNull({ format: 'date-time' }),
  last_used_at: TextOrNull({ format: 'date-time' }),
};

export const KeyView = Type.Object(keyFields, { $id: 'ApiKey' });

export const KeyItem = Type.Object(
  { ...keyFields, merchant: TextOrNull({ description: 'Slug of the merchant of the key.' }) },
  { $id: 'ApiKeyItem' },
);

export const NewKeyView = Type.Object(
  {
    ...keyFields,
    key: TextField('The secret. It is not returned again.', 'semana_live_7hK2…'),
  },
  { $id: 'NewApiKey' },
);

export const KeyPatchForm = StrictObject({ return_origins: returnOrigins });

export const keyResource = {
  params: Type.Object({ id: Id('key', { description: 'The key.' }) }),
  notFound: { en: 'No key has this id.', pt: 'Nenhuma chave tem este id.' },
};
