import type { StaffSchemas } from '#staff-client';
import {
  formatNumber,
  formatPercent,
  formatReais,
  formatShortDayWithYear,
  formatShortTimeWithYear,
  pluralize,
} from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { getFieldLabel } from './field-labels.ts';
import * as officeLabels from './labels.ts';
import { findMenuText } from './layout.tsx';
import { defineListScreen } from './list.tsx';
import { type Column, DAY_PATTERN, INSTANT_PATTERN } from './tables.tsx';

/** The label of each kind of subject, and the path before the id in the URL of its page if it has one. */
const SUBJECT_KINDS: Readonly<Record<string, readonly [text: string, pagePath?: string]>> = {
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
  view: ['Cliente', '/clientes'], // a view of a customer's unmasked data
  webhook: ['Webhook', '/webhooks'],
};
export const SUBJECT_KIND_LABELS = Object.fromEntries(
  Object.entries(SUBJECT_KINDS).map(([kind, [text]]) => [kind, text]),
);

/** The part of a generated id after its prefix, such as `cus_`, is long: screens show only its end. */
const GENERATED_ID = /^[a-z]+_[0-9a-z]{26}$/;

/**
 * Splits 'merchant:otica-lume' into the label of the kind, a short text for the id, and the URL of the page. The id of an export is the
 * operation of the exported list.
 */
export function describeSubject(subject: string): {
  kindLabel: string;
  idText: string;
  href: string | undefined;
} {
  const [, kind = '', id = ''] = /^([^:]*):?(.*)$/s.exec(subject)!;
  const [kindLabel = kind, pagePath] = SUBJECT_KINDS[kind] ?? [];
  if (kind === 'export') return { kindLabel, idText: findMenuText(id) ?? 'de um relatório', href: undefined };
  return {
    kindLabel,
    idText: GENERATED_ID.test(id) ? id.slice(-8) : id,
    href: pagePath && `${pagePath}/${encodeURIComponent(id)}`,
  };
}

/** Labels by the verb that an operation id starts with, or by a word of a command. */
const VERB_LABELS: Readonly<Record<string, string>> = {
  accept: 'Aceitou',
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
  get: 'Viu',
  give: 'Deu o segundo fator',
  import: 'Importou',
  invite: 'Convidou',
  list: 'Baixou CSV',
  lock: 'Bloqueou',
  make: 'Fez loja',
  mark: 'Marcou',
  move: 'Moveu',
  pay: 'Pagou',
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
};
/** Labels of operations whose verb alone would be too vague or misleading. */
const ACTION_LABELS: Readonly<Record<string, string>> = {
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

/** Returns the label of an operation of the staff API ('changeMerchant') or of a command ('key create', which ends in its verb). */
export function describeAction(action: string): string {
  const words = action.includes(' ') ? action.replace('--', '').split(' ').toReversed() : [action];
  const labels = words.map((word) => VERB_LABELS[/^[a-z]+/.exec(word)?.[0] ?? '']);
  return ACTION_LABELS[action] ?? labels.find((label) => label !== undefined) ?? action;
}

/** Describes an actor without a name: a customer, a scheduled job, or the command line. */
export function describeActor(actor: string): string {
  if (actor.startsWith('cus_')) return 'O cliente';
  if (actor === 'semana') return 'O prazo';
  return actor.replace(/^command line/, 'Linha de comando:');
}

/** Fields that contain an amount in reais, unless `COUNT_FIELDS` matches. */
const AMOUNT_FIELDS =
  /(^|_)(amount|value|limit|used|available|financed|paid|returned|refunded|written_off|cashback|outstanding|penalties|total_due|total|interest|stranded|pending|lifetime_earned|reward|referrer|invited|cost|fine|discount)$/;
const COUNT_FIELDS = /^(extension_limit|installments_paid|installments_total)$/;
/** Labels of the values of status fields and the like, by the kind of subject. */
const ENUM_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approval: { ...officeLabels.APPROVAL_LABELS, ...officeLabels.APPROVAL_KIND_LABELS },
  checkout: officeLabels.PURCHASE_LABELS,
  credit_decision: { ...officeLabels.DECISION_OUTCOME_LABELS, ...officeLabels.DECISION_MOMENT_LABELS },
  lead: officeLabels.LEAD_LABELS,
  member: { ...MEMBER_ROLE_LABELS, active: 'Ativo', removed: 'Removido' },
  offer: officeLabels.OFFER_LABELS,
  payout: officeLabels.PAYOUT_LABELS,
  pix_orphan: officeLabels.ORPHAN_LABELS,
  pix_refund: officeLabels.REFUND_LABELS,
  return: officeLabels.RETURN_LABELS,
  staff: officeLabels.ROLE_LABELS,
  webhook: officeLabels.WEBHOOK_LABELS,
};

/** Labels of the values that the filters of an exported list may have. */
const EXPORT_FILTER_LABELS: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...Object.values(ENUM_LABELS)),
  ...SUBJECT_KIND_LABELS,
  ...officeLabels.YES_NO_LABELS,
  newest: 'Mais novos primeiro',
  oldest: 'Mais antigos primeiro',
  br: 'Brasileiro', // the format of the CSV
};

function formatValue(kind: string, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nada';
  if (typeof value === 'boolean') return officeLabels.YES_NO_LABELS[`${value}`];
  if (typeof value === 'number') {
    if (field.endsWith('_percent')) return formatPercent(value);
    return AMOUNT_FIELDS.test(field) && !COUNT_FIELDS.test(field) ? formatReais(value) : formatNumber(value);
  }
  if (Array.isArray(value)) {
    const hasOnlyPrimitives = value.every((item) => typeof item !== 'object');
    return hasOnlyPrimitives ? value.join(', ') || 'nada' : pluralize(value.length, 'item', 'itens');
  }
  const text = String(value);
  if (INSTANT_PATTERN.test(text)) return formatShortTimeWithYear(text, new Date());
  if (DAY_PATTERN.test(text)) return formatShortDayWithYear(text, new Date());
  // An export has the filters of its list, which can be any list.
  if (kind === 'export') return EXPORT_FILTER_LABELS[text] ?? text;
  return (/^(status|outcome|role|kind|moment)$/.test(field) ? ENUM_LABELS[kind]?.[text] : undefined) ?? text;
}

const getLabelWithoutUnit = (field: string) => getFieldLabel(field).replace(/, %$/, '');

/** Describes a change that an approval would make. A field of an inner object is named `policy.age`. */
export function formatChange(
  kind: string,
  { field, before, after }: { field: string; before: unknown; after: unknown },
): { field: string; before: string; after: string } {
  const name = field.replaceAll('.', '_');
  // Each field of a payout batch is the name of a merchant, and its value the amount that it is paid.
  if (kind === 'payouts') return { field, before: 'nada', after: formatReais(after as number) };
  return {
    field: getLabelWithoutUnit(name),
    before: formatValue(kind, name, before),
    after: formatValue(kind, name, after),
  };
}

type FlatRecord = Readonly<Record<string, unknown>>;

/** Flattens nested objects: a nested field is named `object_field`. */
const flatten = (record: object | null, prefix = ''): FlatRecord =>
  Object.assign(
    {},
    ...Object.entries(record ?? {}).map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? flatten(value, `${prefix}${name}_`)
        : { [`${prefix}${name}`]: value },
    ),
  );

/** Lists the changed fields: 'Limite: R$ 500,00 → R$ 800,00'. A created or removed record has only one side. */
export function listDifferences(entry: {
  subject: string;
  before: object | null;
  after: object | null;
}): Array<{ field: string; text: string }> {
  const [kind = ''] = entry.subject.split(':');
  const [before, after] = [flatten(entry.before), flatten(entry.after)];
  const sides = [entry.before && before, entry.after && after].filter((side) => side !== null);
  return Object.keys({ ...before, ...after })
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => {
      const values = sides.map((side) => formatValue(kind, field, side[field]));
      return { field: getLabelWithoutUnit(field), text: values.join(' → ') };
    });
}

type Entry = StaffSchemas['AuditTrailEntry'];

function Subject({ subject }: { subject: string }) {
  const { kindLabel, idText, href } = describeSubject(subject);
  return (
    <>
      {kindLabel} {href ? <a href={href}>{idText}</a> : idText}
    </>
  );
}

/** Longer lists of differences are folded. */
const MAX_INLINE_DIFFERENCES = 4;

function Differences({ entry }: { entry: Entry }) {
  const differences = listDifferences(entry);
  const list = (
    <ul class="office-sums">
      {differences.map(({ field, text: change }) => (
        <li key={field}>
          {field}: <b class="figure">{change}</b>
        </li>
      ))}
    </ul>
  );
  if (differences.length <= MAX_INLINE_DIFFERENCES) return list;
  return (
    <details>
      <summary>{pluralize(differences.length, 'campo', 'campos')}</summary>
      {list}
    </details>
  );
}

/** The action of an entry is an operation of the staff API or a command. */
const actionColumn: Column<Entry> = {
  title: 'Fez',
  render: ({ action }) => describeAction(action),
  csvField: 'action',
  formatForCsv: describeAction,
};
const subjectColumn: Column<Entry> = {
  title: 'Em',
  render: ({ subject }) => <Subject subject={subject} />,
  csvField: 'subject',
  formatForCsv: (cell) => cell.replace(/^[a-z_]+(?=:)/, (kind) => SUBJECT_KIND_LABELS[kind] ?? kind),
};

export const AUDIT_ACTION_COLUMNS = ['at', actionColumn, subjectColumn] as const;

export const auditTrail = defineListScreen({
  path: '/trilha',
  title: 'Trilha',
  operation: 'listAuditTrail',
  labels: { subject: SUBJECT_KIND_LABELS },
  columns: [
    'at',
    'actor_name',
    actionColumn,
    subjectColumn,
    { title: 'O que mudou', render: (entry) => <Differences entry={entry} /> },
    'reason',
    'address',
  ],
  cells: { actor_name: ({ actor, actor_name }) => actor_name ?? describeActor(actor) },
});
