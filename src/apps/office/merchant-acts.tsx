import type { StaffClient, StaffSchemas } from '#staff-client';
import type { SubmittedForm } from '../server/submitted-form.ts';
import { formatPhone, formatReaisInput, parsePhone } from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { type ActField, defineAct } from './act.tsx';
import { field } from './columns.tsx';
import { pickFields, pickFilledFields, readAmount } from './form-values.ts';
import { YES_NO_LABELS } from './labels.ts';
import { Facts } from './tables.tsx';

const PATH = '/lojas/:slug';

type Merchant = StaffSchemas['StaffMerchant'];
type Plan = Merchant['plan'];

/** The name of a form field is a JSON pointer into the body, so that an error of the service is shown beside its field. */
const PLAN_FIELDS: ReadonlyArray<{ name: keyof Plan; label: string; hint?: string; mask?: 'money' }> = [
  { name: 'weekly_rate_percent', label: 'Juros por semana, em %' },
  { name: 'max_installments', label: 'Semanas, no máximo' },
  { name: 'min_amount', label: 'Venda mínima', mask: 'money' },
  { name: 'max_amount', label: 'Venda máxima', mask: 'money' },
  { name: 'cashback_percent', label: 'Cashback, em %' },
  { name: 'merchant_fee_percent', label: 'Taxa da loja, em %' },
  { name: 'payout_days', label: 'Repasse em', hint: 'Dias úteis depois da venda.' },
];

const createPlanFields = (plan?: Plan): ActField[] =>
  PLAN_FIELDS.map(({ name, label, hint, mask }) => ({
    name: `plan/${name}`,
    label,
    optional: plan === undefined,
    ...(hint && { hint }),
    ...(mask && { mask }),
    ...(plan && { value: mask ? formatReaisInput(plan[name]) : String(plan[name]).replace('.', ',') }),
  }));

/** Reads only the fields that were filled in. */
const readPlan = (form: SubmittedForm): { plan?: Partial<Plan> } => {
  const filledFields = PLAN_FIELDS.filter(({ name }) => form.text(`plan/${name}`));
  if (filledFields.length === 0) return {};
  return {
    plan: Object.fromEntries(filledFields.map(({ name }) => [name, readAmount(form, `plan/${name}`)])),
  };
};

async function createMerchantFields(api: StaffClient, merchant: Partial<Merchant>): Promise<ActField[]> {
  const { data } = await api.listCategoryForStaff({ query: { limit: 100 } });
  const field = (
    name: 'name' | 'city' | 'state' | 'website',
    label: string,
    maxLength: number,
  ): ActField => ({ name, label, maxLength, value: merchant[name] ?? '', optional: name !== 'name' });
  return [
    field('name', 'Nome', 120),
    {
      name: 'category',
      label: 'Categoria',
      choices: Object.fromEntries(data.map(({ slug, name }) => [slug, name])),
      value: merchant.category,
    },
    {
      name: 'description',
      label: 'Descrição',
      rows: 3,
      optional: true,
      value: merchant.description ?? '',
      maxLength: 2000,
    },
    field('city', 'Cidade', 80),
    field('state', 'Estado (UF)', 2),
    field('website', 'Site', 300),
  ];
}

const readMerchant = (form: SubmittedForm) => ({
  ...pickFields(form, 'name', 'category'),
  description: form.text('description') || null,
  city: form.text('city') || null,
  state: form.text('state') || null,
  website: form.text('website') || null,
});

const SLUG_FIELD: ActField = {
  name: 'slug',
  label: 'Endereço',
  hint: 'Letras minúsculas e hífens: padaria-do-bairro.',
  maxLength: 80,
};

export const createMerchant = defineAct({
  path: '/lojas/nova',
  call: 'createMerchant',
  title: 'Nova loja',
  fields: async (_, { api }) => [SLUG_FIELD, ...(await createMerchantFields(api, {}))],
  button: 'Criar loja',
  body: (form) => ({ slug: form.text('slug'), ...readMerchant(form) }),
  success: ({ slug }) => ({ note: 'Loja criada, com o plano de fábrica.', redirectTo: `/lojas/${slug}` }),
});

/** Creates a merchant and its owner from the lead of a future partner. */
export const createMerchantFromLead = defineAct({
  path: '/contatos/:id/loja',
  call: 'makeMerchantOfLead',
  title: 'Fazer loja',
  description: 'O contato vira uma loja com responsável. Do plano, o que fica em branco é o de fábrica.',
  record: 'getLead',
  fields: async ({ company, name, phone }, { api }) => [
    { ...SLUG_FIELD, hint: 'Em branco: vem do nome.', optional: true },
    ...(await createMerchantFields(api, { name: company ?? name })),
    { name: 'owner/name', label: 'Responsável', value: name, maxLength: 120 },
    {
      name: 'owner/phone',
      label: 'Celular do responsável',
      hint: 'Com ele entra no balcão.',
      mask: 'phone',
      value: phone ? formatPhone(phone) : '',
    },
    ...createPlanFields(),
  ],
  body: (form) => ({
    ...pickFilledFields(form, 'slug'),
    ...readMerchant(form),
    ...readPlan(form),
    owner: { name: form.text('owner/name'), phone: parsePhone(form.text('owner/phone')) },
  }),
  success: ({ merchant }) => ({
    note: 'Loja feita, com o seu responsável. O contato está atendido.',
    redirectTo: `/lojas/${merchant.slug}`,
  }),
});

export const editMerchant = defineAct({
  path: `${PATH}/editar`,
  call: 'changeMerchant',
  title: 'Editar',
  editedRecord: 'getMerchantForStaff',
  fields: (merchant, { api }) => createMerchantFields(api, merchant),
  button: 'Salvar',
  body: readMerchant,
  success: 'Loja salva. O site mostra em um segundo.',
});

export const changePlan = defineAct({
  path: `${PATH}/plano`,
  call: 'changeMerchant',
  role: 'finance',
  title: 'Mudar plano',
  description: 'Vale para as próximas ofertas. As vendas feitas ficam como foram combinadas.',
  editedRecord: 'getMerchantForStaff',
  fields: (merchant) => createPlanFields(merchant.plan),
  body: readPlan,
  success: 'Plano mudado.',
});

export const changePayoutAccount = defineAct({
  path: `${PATH}/conta`,
  call: 'setPayoutAccount',
  title: 'Mudar conta de repasse',
  description: 'Os próximos repasses vão para esta conta. Confira com a loja por outro caminho.',
  approvalAmount: 'always',
  editedRecord: 'getPayoutAccount',
  fields: (account) => [
    { name: 'pix_key', label: 'Chave PIX', value: account.pix_key ?? '', maxLength: 100 },
    { name: 'holder_name', label: 'Titular', value: account.holder_name ?? '', maxLength: 120 },
    { name: 'tax_id', label: 'CPF ou CNPJ', value: account.tax_id ?? '', maxLength: 20 },
  ],
  button: 'Mudar conta',
  body: (form) => pickFields(form, 'pix_key', 'holder_name', 'tax_id'),
  success: 'Conta de repasse mudada.',
});

export const cancelAccountChange = defineAct({
  path: `${PATH}/conta/parar`,
  call: 'stopPayoutAccountChange',
  title: 'Parar a troca',
  record: 'getPayoutAccount',
  impact: ({ change }) =>
    change ? (
      <Facts
        record={change}
        rows={[
          'pix_key',
          'holder_name',
          'tax_id',
          field('asked_at', 'Pedida'),
          field('counts_at', 'Contaria em'),
        ]}
      />
    ) : (
      <p>Nenhuma troca espera.</p>
    ),
  success: 'A troca foi parada. Fica a conta de antes.',
});

export const changeListing = defineAct({
  path: `${PATH}/site`,
  call: 'changeMerchant',
  title: 'Mostrar ou tirar do site',
  editedRecord: 'getMerchantForStaff',
  fields: ({ listed }) => [
    { name: 'listed', label: 'No site', choices: YES_NO_LABELS, value: String(listed) },
  ],
  button: 'Salvar',
  body: (form) => ({ listed: form.text('listed') === 'true' }),
  success: ({ listed }) => (listed ? 'A loja está no site.' : 'A loja saiu do site e não vende mais.'),
});

export const addMember = defineAct({
  path: `${PATH}/pessoas/nova`,
  call: 'addMerchantMember',
  title: 'Incluir uma pessoa',
  approvalAmount: { rule: 'Um responsável espera a aprovação de outra pessoa.' },
  fields: [
    { name: 'name', label: 'Nome', maxLength: 120 },
    { name: 'phone', label: 'Celular', mask: 'phone' },
    { name: 'role', label: 'Papel', choices: MEMBER_ROLE_LABELS, hint: 'A primeira pessoa é responsável.' },
    {
      name: 'max_amount',
      label: 'Vende até',
      hint: 'De um caixa. Em branco: sem limite.',
      mask: 'money',
      optional: true,
    },
    { name: 'may_return', label: 'Devolve', choices: YES_NO_LABELS, value: 'false' },
  ],
  button: 'Incluir na loja',
  body: (form) => ({
    name: form.text('name'),
    phone: parsePhone(form.text('phone')),
    role: form.text('role') === 'clerk' ? 'clerk' : 'owner',
    may_return: form.text('may_return') === 'true',
    ...(form.text('max_amount') && { max_amount: readAmount(form, 'max_amount') }),
  }),
  success: ({ name }) => `${name} entra no balcão com o celular.`,
});

export const removeMember = defineAct({
  path: `${PATH}/pessoas/:id/remover`,
  call: 'removeMerchantMember',
  title: 'Remover',
  description: 'Sai do balcão agora, em todos os aparelhos. As vendas que fez continuam.',
  button: 'Remover da loja',
  success: 'Pessoa removida da loja.',
});
