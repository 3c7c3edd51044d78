import { Type } from 'typebox';
import { ROLES } from '#platform/http/access.ts';
import { Form, Id, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const role = Type.Enum([...ROLES]);
const email = Type.String({ format: 'email', maxLength: 254, examples: ['marina@example.com'] });
const Password = Type.String({
  minLength: 8,
  maxLength: 200,
  format: 'text',
  examples: ['girafa-boia-longe'],
});

export const Me = Type.Object(
  {
    id: Id('stf', { description: 'The person.' }),
    name: Type.String({ examples: ['Marina Duarte'] }),
    role,
    email: TextOrNull({ description: 'What they sign in with; null: they only have a key.' }),
  },
  { $id: 'StaffMe' },
);

/** The only answer that shows the session. */
export const Entered = Type.Object(
  {
    session: Type.String({
      description: 'A credential of this door, sent as `Authorization: Bearer`. It is not shown again.',
      examples: ['semana_session_7hK2…'],
    }),
    session_id: Id('sss'),
    expires_at: Timestamp({ description: 'It ends earlier after 30 minutes of nothing.' }),
    next: Type.Enum(['done', 'second_factor', 'enrol'], {
      description:
        'What is still to be done. `enrol`: the person has no second factor yet; in live mode nothing else can be done before.',
    }),
    methods: Type.Array(Type.Enum(['totp', 'passkey']), { description: 'Second factors the person has.' }),
    person: Me,
  },
  { $id: 'StaffEntered' },
);

export const LoginForm = Form(
  { email, password: Type.String({ maxLength: 200, format: 'text', examples: ['girafa-boia-longe'] }) },
  { $id: 'StaffLogin' },
);

const token = Text(64, {
  description: 'Of the address that the admin was given.',
  examples: ['7hK2mX9bKtR4vLc1PzW8sDq3fJ5nYw0e'],
});
export const InvitationForm = Form({ token });
export const Invitation = Type.Object(
  { name: Type.String({ examples: ['Marina Duarte'] }), role, email: TextOrNull(), expires_at: Timestamp() },
  { $id: 'StaffInvitation' },
);
export const AcceptForm = Form({ token, email, password: Password });

/** As the browser gives it (WebAuthn). It is verified by the library. */
const PasskeyResponse = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'What the browser answers to the options (WebAuthn, as JSON).',
  examples: [{}],
});
export const FactorForm = Form(
  {
    code: Type.Optional(Text(40, { description: 'A one-time code of six digits, or a recovery code.' })),
    passkey: Type.Optional(PasskeyResponse),
  },
  { minProperties: 1, examples: [{ code: '123456' }] },
);
export const Proven = Type.Object({ next: Type.Enum(['done']) }, { $id: 'StaffProven' });

export const PasskeyOptionsForm = Form({
  purpose: Type.Enum(['sign_in', 'new'], { description: 'Give a passkey, or add one.' }),
});
export const PasskeyOptions = Type.Object(
  {
    options: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'For `navigator.credentials`, as JSON.',
      examples: [{}],
    }),
  },
  { $id: 'PasskeyOptions' },
);

export const NewTotp = Type.Object(
  {
    secret: Type.String({ description: 'In base32, to be typed.', examples: ['MZXW6YTBOIMZXW6YTBOI'] }),
    uri: Type.String({
      description: 'To be shown as a QR code.',
      examples: ['otpauth://totp/Semana:marina?secret=MZXW6YTBOIMZXW6YTBOI&issuer=Semana'],
    }),
  },
  { $id: 'NewTotp' },
);
export const CodeForm = Form({ code: Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] }) });
export const PasskeyForm = Form({
  name: Text(60, { description: 'What the person calls it.', examples: ['celular'] }),
  passkey: PasskeyResponse,
});
export const FactorAdded = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ examples: ['k7rw2-9axqm'] }), {
      description: 'With the first factor: each works once in place of it. They are not shown again.',
    }),
  },
  { $id: 'FactorAdded' },
);
export const Factors = Type.Object(
  {
    totp: Type.Boolean({ description: 'Whether one-time codes are set up.' }),
    passkeys: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['pT3kq0fXx1w'] }),
        name: Type.String({ examples: ['celular'] }),
        created_at: Timestamp(),
        last_used_at: TextOrNull({ format: 'date-time' }),
      }),
    ),
    recovery_codes: Type.Integer({ description: 'How many are left.' }),
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
    agent: Type.String({ description: 'The browser, as it tells itself.', examples: ['Mozilla/5.0'] }),
    is_current: Type.Boolean(),
  },
  { $id: 'StaffSession' },
);
export const SessionParams = Type.Object({ id: Id('sss', { description: 'The session.' }) });
export const RoleForm = Form({ role }, { examples: [{ role: 'support' }] });
