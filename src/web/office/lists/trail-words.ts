import { count, dayInYear, inReais, percent, plural, timeInYear } from '../../text/format.ts';
import { fieldName } from '../fields.ts';
import { placeOf } from '../layout.tsx';
import { ROLE_NAMES } from '../words.ts';
import * as names from './names.ts';

/** What a change may be about, and where its page is. */
const KINDS: Readonly<Record<string, readonly [text: string, page?: string]>> = {
  agreement: ['Termos'],
  approval: ['Aprovação', '/aprovacoes'],
  cashback: ['Cashback', '/clientes'],
  category: ['Categoria', '/categorias'],
  checkout: ['Compra', '/compras'],
  credit_decision: ['Decisão de crédito', '/decisoes'],
  credit_policy: ['Política de crédito'],
  customer: ['Cliente', '/clientes'],
  customer_note: ['Anotação sobre cliente'],
  data_key: ['Chave de criptografia'],
  export: ['Arquivo CSV'],
  faq: ['Pergunta', '/perguntas'],
  installation: ['Instalação'],
  job: ['Tarefa'],
  key: ['Chave', '/chaves'],
  lead: ['Contato', '/contatos'],
  media: ['Imagem'],
  member: ['Pessoa de loja'],
  merchant: ['Loja', '/lojas'],
  message: ['Mensagem'],
  offer: ['Oferta', '/ofertas'],
  partner: ['Parceiro'],
  payout: ['Repasse', '/repasses'],
  payout_account: ['Conta de repasse', '/lojas'],
  payouts: ['Repasses até'],
  pix_orphan: ['Pagamento sem dono', '/sem-dono'],
  pix_payment: ['Pagamento', '/pagamentos'],
  pix_refund: ['Estorno'],
  post: ['Post', '/posts'],
  psp: ['Banco'],
  referral: ['Convite', '/clientes'],
  return: ['Devolução'],
  saved_view: ['Visão guardada'],
  staff: ['Pessoa da equipe', '/equipe'],
  staff_session: ['Sessão da equipe'],
  token_key: ['Chave de sessões'],
  view: ['Cliente', '/clientes'],
  webhook: ['Webhook', '/webhooks'],
};
export const KIND_NAMES = Object.fromEntries(Object.entries(KINDS).map(([kind, [text]]) => [kind, text]));

/** Where the page of a subject is, and what it is called: 'merchant:otica-lume' is Loja otica-lume. */
export function subjectOf(subject: string): { text: string; id: string; href: string | undefined } {
  const [kind = '', id = ''] = subject.split(/:(.*)/s);
  const [text = kind, page] = KINDS[kind] ?? [];
  if (kind === 'export') return { text, id: placeOf(id) ?? id, href: undefined };
  return {
    text,
    id: /^[a-z]+_[0-9a-z]{26}$/.test(id) ? id.slice(-8) : id,
    href: page && `${page}/${encodeURIComponent(id)}`,
  };
}

/** By how the name of an operation begins, or a word of a command. */
const VERBS: Readonly<Record<string, string>> = {
  accept: 'Aceitou',
  'account-stop': 'Parou a troca',
  add: 'Incluiu',
  adjust: 'Ajustou',
  apply: 'Passou a valer',
  approve: 'Aprovou',
  ask: 'Pediu',
  assign: 'Atribuiu',
  authorise: 'Autorizou',
  cancel: 'Cancelou',
  change: 'Mudou',
  confirm: 'Confirmou',
  create: 'Criou',
  decline: 'Recusou',
  disable: 'Desligou',
  enable: 'Ligou',
  end: 'Encerrou sessões',
  enter: 'Entrou',
  erase: 'Apagou os dados',
  export: 'Exportou os dados',
  failed: 'Marcou como falho',
  get: 'Viu',
  give: 'Deu o segundo fator',
  import: 'Importou',
  invite: 'Convidou',
  list: 'Baixou CSV',
  lock: 'Bloqueou',
  make: 'Fez loja',
  mark: 'Marcou',
  merchant: 'Fez loja',
  move: 'Moveu',
  note: 'Anotou',
  paid: 'Marcou como pago',
  pay: 'Pagou',
  'phone-cancel': 'Cancelou a troca do telefone',
  'phone-confirm': 'Confirmou a troca do telefone',
  preview: 'Viu antes',
  propose: 'Propôs',
  publish: 'Publicou',
  read: 'Leu',
  reencrypt: 'Criptografou de novo',
  refund: 'Estornou',
  refuse: 'Recusou',
  register: 'Registrou',
  reinstate: 'Desfez a baixa',
  remove: 'Removeu',
  replay: 'Reenviou eventos',
  resend: 'Reenviou',
  reset: 'Zerou',
  restore: 'Restaurou',
  retry: 'Tentou de novo',
  return: 'Devolveu',
  reverse: 'Desfez',
  revoke: 'Encerrou',
  rotate: 'Trocou',
  save: 'Guardou',
  scan: 'Leu código',
  send: 'Enviou',
  set: 'Definiu',
  sign: 'Entrou',
  stop: 'Parou a troca',
  test: 'Testou',
  try: 'Experimentou',
  unlock: 'Liberou',
  write: 'Anotou',
  'write-off': 'Baixou por perda',
};
/** Where the verb alone would say too little, or something else. */
const ACTIONS: Readonly<Record<string, string>> = {
  addPasskey: 'Incluiu chave de acesso',
  askForPasskey: 'Pediu chave de acesso',
  cancelPhoneChange: 'Cancelou a troca do telefone',
  cancelOwnPhoneChange: 'Cancelou a troca do telefone',
  confirmPhoneChange: 'Confirmou a troca do telefone',
  applyPhoneChange: 'A troca do telefone passou a valer',
  markPayoutFailed: 'Marcou como falho',
  markPayoutPaid: 'Marcou como pago',
  sendPhoneChangeCode: 'Enviou código ao telefone atual',
  sendTestMessage: 'Enviou mensagem de teste',
  setMerchantLogo: 'Mudou o logotipo',
  setPostCover: 'Mudou a capa',
  signOutStaff: 'Saiu',
  stopPayoutAccountChange: 'Parou a troca da conta',
  writeOffCheckout: 'Baixou por perda',
};

/** What was done, by an operation of the staff door ('changeMerchant') or at the command line ('key create'). */
export function actionInWords(action: string): string {
  const words = action.includes(' ') ? action.replace('--', '').split(' ').toReversed() : [action];
  const known = words.map((word) => VERBS[word] ?? VERBS[/^[a-z]+/.exec(word)?.[0] ?? '']);
  return ACTIONS[action] ?? known.find((word) => word !== undefined) ?? action;
}

/** Who, where it is no person of the team or of a merchant. */
export function actorInWords(actor: string): string {
  if (actor.startsWith('cus_')) return 'O cliente';
  if (actor === 'semana') return 'O prazo';
  return actor.replace(/^command line/, 'Linha de comando:');
}

/** Fields that hold an amount, in reais. */
const AMOUNTS =
  /(^|_)(amount|value|limit|used|available|financed|paid|returned|refunded|outstanding|penalties|total_due|total|interest|stranded|pending|lifetime_earned|reward|referrer|invited|cost|fine|discount)$/;
const NO_AMOUNTS = /^(extension_limit|installments_paid|installments_total)$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approval: { ...names.APPROVAL, ...names.APPROVAL_KIND },
  checkout: names.PURCHASE,
  credit_decision: { ...names.OUTCOME, ...names.MOMENT },
  lead: names.LEAD,
  member: { owner: 'Responsável', clerk: 'Balconista', active: 'Ativo', removed: 'Removido' },
  offer: names.OFFER,
  payout: names.PAYOUT,
  pix_orphan: names.ORPHAN,
  pix_refund: names.REFUND,
  return: names.RETURN,
  staff: ROLE_NAMES,
  webhook: names.WEBHOOK,
};

function valueInWords(kind: string, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nada';
  if (typeof value === 'boolean') return names.YES_NO[`${value}`];
  if (typeof value === 'number') {
    if (field.endsWith('_percent')) return percent(value);
    return AMOUNTS.test(field) && !NO_AMOUNTS.test(field) ? inReais(value) : count(value);
  }
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== 'object');
    return isPlain ? value.join(', ') || 'nada' : plural(value.length, 'item', 'itens');
  }
  const text = String(value);
  if (INSTANT.test(text)) return timeInYear(text, new Date());
  if (DAY.test(text)) return dayInYear(text, new Date());
  return (/^(status|outcome|role|kind|moment)$/.test(field) ? STATES[kind]?.[text] : undefined) ?? text;
}

type Side = Readonly<Record<string, unknown>>;

/** The fields of a side, those of an object in it as `object_field`. */
const flat = (side: object | null, before = ''): Side =>
  Object.assign(
    {},
    ...Object.entries(side ?? {}).map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? flat(value, `${before}${name}_`)
        : { [`${before}${name}`]: value },
    ),
  );

/** What differs: 'Limite: R$ 500,00 → R$ 800,00'. What was made or removed has one side only. */
export function differences(entry: {
  subject: string;
  before: object | null;
  after: object | null;
}): Array<{ field: string; text: string }> {
  const [kind = ''] = entry.subject.split(':');
  const [was, is] = [flat(entry.before), flat(entry.after)];
  return Object.keys({ ...was, ...is })
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => {
      const sides = [...(entry.before ? [was] : []), ...(entry.after ? [is] : [])];
      const words = sides.map((side) => valueInWords(kind, field, side[field]));
      return { field: fieldName(field).replace(/, %$/, ''), text: words.join(' → ') };
    });
}
