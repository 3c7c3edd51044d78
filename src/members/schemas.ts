import { Type } from 'typebox';
import { LeadMerchantFields, StaffMerchant } from '#catalog';
import { CodeLogin, ownSessionFields, Phone, tokenFields } from '#customers';
import { MEMBER_ROLES } from '#platform/http/access.ts';
import { withoutMasks } from '#platform/http/masking.ts';
import { Id, NumberOrNull, Slug, StrictObject, Text, Timestamp } from '#platform/http/schemas.ts';
import { MEMBER_NOT_FOUND } from './problems.ts';
import { memberPersonFields } from './store.ts';

const role = Type.Enum([...MEMBER_ROLES], {
  description:
    '`clerk`: gets quotes, creates offers, sees the sales of the day and sales they look up; `owner`: may do everything for the merchant.',
});
const AMOUNT_HELP = 'Maximum amount of a clerk’s offers, in reais; null: no limit. Does not apply to owners.';
const maxAmount = NumberOrNull({ exclusiveMinimum: 0, format: 'reais', description: AMOUNT_HELP });
const mayReturn = Type.Boolean({ description: 'Whether a clerk may accept returns. An owner always may.' });

const memberFields = {
  id: Id('mbr', { description: 'The member.' }),
  ...withoutMasks(memberPersonFields),
  role,
  max_amount: NumberOrNull({ format: 'reais', description: AMOUNT_HELP, examples: [300] }),
  may_return: mayReturn,
  status: Type.Enum(['active', 'removed']),
  created_at: Timestamp(),
};

export const Member = Type.Object(memberFields, { $id: 'Member' });

/** A member in the staff API, masked for the roles `viewer` and `content`. */
export const MerchantMember = Type.Object(
  { ...memberFields, ...memberPersonFields },
  { $id: 'MerchantMember' },
);

export const MemberForm = StrictObject(
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

export const MemberChange = StrictObject(
  {
    name: Type.Optional(Text(120)),
    role: Type.Optional(role),
    max_amount: Type.Optional(maxAmount),
    may_return: Type.Optional(mayReturn),
  },
  { $id: 'MemberChange', minProperties: 1, examples: [{ max_amount: 500 }] },
);

export const MemberSession = Type.Object(ownSessionFields, { $id: 'MemberSession' });

export const memberParamsAndNotFound = {
  params: Type.Object({ id: Id('mbr', { description: 'The member.' }) }),
  notFound: MEMBER_NOT_FOUND,
};
export const MemberSessionParams = Type.Object({
  id: Id('mbr', { description: 'The member.' }),
  session: Id('ses', { description: 'The session.' }),
});
export const MerchantMemberParams = Type.Object({
  slug: Slug({ description: 'The merchant.', examples: ['padaria-flor-do-trigo'] }),
  id: Id('mbr', { description: 'The member.' }),
});

export const LeadMerchantForm = StrictObject(
  {
    ...LeadMerchantFields,
    owner: Type.Optional(
      StrictObject(
        { name: Type.Optional(Text(120)), phone: Type.Optional(Phone) },
        { description: 'Owner of the merchant. Fields default to those of the lead.' },
      ),
    ),
  },
  { $id: 'LeadMerchantForm', examples: [{ category: 'padarias', city: 'Recife', state: 'PE' }] },
);

export const LeadMerchant = Type.Object(
  { merchant: StaffMerchant, owner: MerchantMember },
  { $id: 'LeadMerchant' },
);

const merchantFields = {
  slug: Slug({ examples: ['padaria-flor-do-trigo'] }),
  name: Type.String({ examples: ['Padaria Flor do Trigo'] }),
};
const membershipFields = {
  merchant: Type.Object(merchantFields, { description: 'The merchant of the session.' }),
  merchants: Type.Array(Type.Object({ ...merchantFields, role }), {
    description: 'All merchants of which the person is a member.',
  }),
};

export const MerchantMe = Type.Object(
  {
    member: Type.Union([Member, Type.Null()], { description: 'Null for a key with the scope `merchant`.' }),
    ...membershipFields,
  },
  { $id: 'MerchantMe' },
);

export const MemberLogin = Type.Object(
  { ...tokenFields, member: Member, ...membershipFields },
  { $id: 'MemberLogin' },
);

export const MemberCodeLogin = StrictObject(
  {
    ...CodeLogin.properties,
    merchant: Type.Optional(
      Slug({
        description: 'The merchant, if the person is a member of several; default: the oldest membership.',
        examples: ['padaria-flor-do-trigo'],
      }),
    ),
  },
  { $id: 'MemberCodeLogin' },
);

export const SwitchForm = StrictObject(
  { merchant: Slug({ description: 'The merchant to switch to.', examples: ['padaria-flor-do-trigo'] }) },
  { $id: 'SwitchForm' },
);
