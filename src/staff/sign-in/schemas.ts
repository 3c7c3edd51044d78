import { Type } from 'typebox';
import { ROLES } from '#platform/http/access.ts';
import { Id, StrictObject, Text, TextField, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const role = Type.Enum([...ROLES]);
const email = Type.String({ format: 'email', maxLength: 254, examples: ['marina@example.com'] });
const Password = Type.String({
  minLength: 8,
  maxLength: 200,
  format: 'text',
  examples: ['girafa-boia-longe'],
});

export const StaffMe = Type.Object(
  {
    id: Id('stf', { description: 'The staff user.' }),
    name: Type.String({ examples: ['Marina Duarte'] }),
    role,
    email: TextOrNull({ description: 'E-mail for signing in; null if the user has only an API key.' }),
  },
  { $id: 'StaffMe' },
);

/** The only response that contains the session token. */
export const SessionOpened = Type.Object(
  {
    session: TextField(
      'Session token for the staff API, sent as `Authorization: Bearer`. It is not returned again.',
      'semana_session_7hK2…',
    ),
    session_id: Id('sss'),
    expires_at: Timestamp({ description: 'The session ends earlier after 30 minutes without a request.' }),
    next: Type.Enum(['done', 'second_factor', 'enrol'], {
      description:
        'Next step. `second_factor`: verify a second factor; `enrol`: add a second factor, in live mode before anything else.',
    }),
    methods: Type.Array(Type.Enum(['totp', 'passkey']), { description: 'Second factors of the user.' }),
    person: StaffMe,
  },
  { $id: 'StaffEntered' },
);

export const LoginForm = StrictObject(
  { email, password: Type.String({ maxLength: 200, format: 'text', examples: ['girafa-boia-longe'] }) },
  { $id: 'StaffLogin' },
);

const token = Text(64, {
  description: 'Token from the invitation URL.',
  examples: ['7hK2mX9bKtR4vLc1PzW8sDq3fJ5nYw0e'],
});
export const InvitationForm = StrictObject({ token });
export const Invitation = Type.Object(
  { name: Type.String({ examples: ['Marina Duarte'] }), role, email: TextOrNull(), expires_at: Timestamp() },
  { $id: 'StaffInvitation' },
);
export const AcceptInvitationForm = StrictObject({ token, email, password: Password });

/** The WebAuthn library validates the response, so the schema accepts any object. */
const PasskeyResponse = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'Response of the browser to the options (WebAuthn, as JSON).',
  examples: [{}],
});
export const FactorForm = StrictObject(
  {
    code: Type.Optional(Text(40, { description: 'A one-time code of six digits, or a recovery code.' })),
    passkey: Type.Optional(PasskeyResponse),
  },
  { minProperties: 1, examples: [{ code: '123456' }] },
);
export const FactorVerified = Type.Object({ next: Type.Enum(['done']) }, { $id: 'StaffProven' });

export const PasskeyOptionsForm = StrictObject({
  purpose: Type.Enum(['sign_in', 'new'], { description: '`sign_in`: use a passkey; `new`: add one.' }),
});
export const PasskeyOptions = Type.Object(
  {
    options: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Options for `navigator.credentials`, as JSON.',
      examples: [{}],
    }),
  },
  { $id: 'PasskeyOptions' },
);

export const NewTotp = Type.Object(
  {
    secret: TextField('The secret in base32, for typing.', 'MZXW6YTBOIMZXW6YTBOI'),
    uri: TextField(
      'URI for a QR code.',
      'otpauth://totp/Semana:marina?secret=MZXW6YTBOIMZXW6YTBOI&issuer=Semana',
    ),
  },
  { $id: 'NewTotp' },
);
export const TotpForm = StrictObject({ code: Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] }) });
export const PasskeyForm = StrictObject({
  name: Text(60, { description: 'Name of the passkey, chosen by the user.', examples: ['celular'] }),
  passkey: PasskeyResponse,
});
export const FactorAdded = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ examples: ['k7rw2-9axqm'] }), {
      description: 'Returned with the first factor only. Each code replaces a second factor once.',
    }),
  },
  { $id: 'FactorAdded' },
);
export const Passkey = Type.Object({
  id: Type.String({ examples: ['pT3kq0fXx1w'] }),
  name: Type.String({ examples: ['celular'] }),
  created_at: Timestamp(),
  last_used_at: TextOrNull({ format: 'date-time' }),
});
export const Factors = Type.Object(
  {
    totp: Type.Boolean({ description: 'Whether one-time codes are set up.' }),
    passkeys: Type.Array(Passkey),
    recovery_codes: Type.Integer({ description: 'Number of unused recovery codes.' }),
  },
  { $id: 'StaffFactors' },
);
export const FactorParams = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{3,1400}$', description: '`totp`, or the id of a passkey.' }),
});

export const StaffSession = Type.Object(
  {
    id: Id('sss'),
    created_at: Timestamp(),
    seen_at: Timestamp(),
    address: Type.String({ examples: ['203.0.113.7'] }),
    agent: Type.String({ description: 'User-Agent of the browser.', examples: ['Mozilla/5.0'] }),
    is_current: Type.Boolean(),
  },
  { $id: 'StaffSession' },
);
export const SessionParams = Type.Object({ id: Id('sss', { description: 'The session.' }) });
export const SandboxSessionForm = StrictObject({ role }, { examples: [{ role: 'support' }] });
