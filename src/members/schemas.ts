import { Type } from 'typebox';
import { LeadMerchantFields, StaffMerchant } from '#catalog';
import { CodeLogin, Phone } from '#customers';
import { MEMBER_ROLES } from '#platform/http/access.ts';
import { Personal } from '#platform/http/personal.ts';
import { Form, Id, NumberOrNull, Slug, Text, Timestamp } from '#platform/http/schemas.ts';
import { NO_MEMBER } from './problems.ts';

const role = Type.Enum([...MEMBER_ROLES], {
  description:
    '`clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.',
});
const MAX_AMOUNT = 'A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner.';
const maxAmount = NumberOrNull({ exclusiveMinimum: 0, format: 'reais', description: MAX_AMOUNT });
const mayReturn = Type.Boolean({
  description: 'Whether a clerk may take goods back. An owner always may.',
});

const MEMBER_ID = 'mbr_01kfx3c8gq5v0m7d2h9ynwztb4';
const exampleMember = {
  id: MEMBER_ID,
  name: 'Téo Nogueira',
  phone: '+5511987650011',
  role: 'clerk' as const,
  max_amount: 300,
  may_return: false,
  status: 'active' as const,
  created_at: '2026-11-15T12:00:00.000Z',
};

const member = {
  id: Id('mbr', { description: 'The member.' }),
  name: Type.String(),
  phone: Type.String(),
  role,
  max_amount: NumberOrNull({ format: 'reais', description: MAX_AMOUNT }),
  may_return: mayReturn,
  status: Type.Enum(['active', 'removed']),
  created_at: Timestamp(),
};

export const Member = Type.Object(member, { $id: 'Member', examples: [exampleMember] });

/** At the staff door: masked below `support`. */
export const MerchantMember = Type.Object(
  { ...member, name: Personal('name'), phone: Personal('phone') },
  { $id: 'MerchantMember', examples: [exampleMember] },
);

export const MemberForm = Form(
  {
    name: Text(120, { examples: ['Téo Nogueira'] }),
    phone: Phone,
    role,
    max_amount: Type.Optional(maxAmount),
    may_return: Type.Optional(mayReturn),
  },
  {
    $id: 'MemberForm',
    examples: [{ name: 'Téo Nogueira', phone: '+5511987650011', role: 'clerk', max_amount: 300 }],
  },
);

export const MemberChange = Form(
  {
    name: Type.Optional(Text(120)),
    role: Type.Optional(role),
    max_amount: Type.Optional(maxAmount),
    may_return: Type.Optional(mayReturn),
  },
  { $id: 'MemberChange', minProperties: 1, examples: [{ max_amount: 500 }] },
);

export const MemberSession = Type.Object(
  {
    id: Id('ses'),
    is_current: Type.Boolean({ description: 'Whether it is the one this was asked with.' }),
    created_at: Timestamp({ description: 'When they signed in.' }),
    refreshed_at: Timestamp({ description: 'When its tokens were last exchanged.' }),
  },
  {
    $id: 'MemberSession',
    examples: [
      {
        id: 'ses_01kfx3c8gq5v0m7d2h9ynwztb4',
        is_current: true,
        created_at: '2026-11-15T12:00:00.000Z',
        refreshed_at: '2026-11-15T18:00:00.000Z',
      },
    ],
  },
);

/** Of the endpoints of one member. */
export const ofMember = {
  params: Type.Object({ id: Id('mbr', { description: 'The member.' }) }),
  notFound: NO_MEMBER,
};
export const MemberSessionParams = Type.Object({
  id: Id('mbr', { description: 'The member.' }),
  session: Id('ses', { description: 'The session, as in the list.' }),
});
export const MerchantMemberParams = Type.Object({
  slug: Slug({ description: 'The merchant.', examples: ['padaria-flor-do-trigo'] }),
  id: Id('mbr', { description: 'The member.' }),
});

export const LeadMerchantForm = Form(
  {
    ...LeadMerchantFields,
    owner: Type.Optional(
      Form(
        { name: Type.Optional(Text(120)), phone: Type.Optional(Phone) },
        { description: 'Who leads the merchant; what is left out comes from the form.' },
      ),
    ),
  },
  { $id: 'LeadMerchantForm', examples: [{ category: 'padarias', city: 'Recife', state: 'PE' }] },
);

export const LeadMerchant = Type.Object(
  { merchant: StaffMerchant, owner: MerchantMember },
  { $id: 'LeadMerchant' },
);

const merchant = { slug: Slug(), name: Type.String({ examples: ['Padaria Flor do Trigo'] }) };
const exampleMerchant = { slug: 'padaria-flor-do-trigo', name: 'Padaria Flor do Trigo' };

const memberships = {
  merchant: Type.Object(merchant, { description: 'For which merchant they act.' }),
  merchants: Type.Array(Type.Object({ ...merchant, role }), {
    description: 'All of which they are a member.',
  }),
};
const exampleMemberships = {
  merchant: exampleMerchant,
  merchants: [{ ...exampleMerchant, role: 'clerk' as const }],
};

export const MerchantMe = Type.Object(
  {
    member: Type.Union([Member, Type.Null()], { description: 'Null for a key that is the merchant’s own.' }),
    ...memberships,
  },
  { $id: 'MerchantMe', examples: [{ member: exampleMember, ...exampleMemberships }] },
);

const TOKENS = {
  token: 'eyJhbGciOiJFZERTQSIsImtpZCI6InRrXzAxa2Z4MyJ9.eyJzaWQiOiJzZXNfMDFrZng0In0.c2lnbmF0dXJl',
  expires_at: '2026-11-15T12:15:00.000Z',
  refresh_token: 'mbr_01kfx3c8….ses_01kfx4….9fT2…',
  refresh_expires_at: '2026-12-15T12:00:00.000Z',
};

export const MemberLogin = Type.Object(
  {
    token: Type.String({ description: 'To be sent as x-token: a JWT that works for 15 minutes.' }),
    expires_at: Timestamp(),
    refresh_token: Type.String({ description: 'Gets the next token, once.' }),
    refresh_expires_at: Timestamp(),
    member: Member,
    ...memberships,
  },
  { $id: 'MemberLogin', examples: [{ ...TOKENS, member: exampleMember, ...exampleMemberships }] },
);

export const MemberCodeLogin = Form(
  {
    ...CodeLogin.properties,
    merchant: Type.Optional(
      Slug({ description: 'For which merchant, where the phone is a member of several; else the first.' }),
    ),
  },
  {
    $id: 'MemberCodeLogin',
    examples: [{ phone: '+5511987650011', challenge_id: 'otp_01kfx3c8gq5v0m7d2h9ynwztb4', code: '314159' }],
  },
);

export const SwitchForm = Form(
  { merchant: Slug({ description: 'The merchant to act for from now on.' }) },
  { $id: 'SwitchForm', examples: [{ merchant: 'padaria-flor-do-trigo' }] },
);
