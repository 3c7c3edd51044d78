import { saoPauloDay } from '#core/values/day.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import { listAttemptsForPhone } from '#platform/http/attempt-limits.ts';
import { buildListQuery } from '#platform/http/list.ts';
import { type PageRange, queryListPage } from '#platform/http/list-query.ts';
import { type AuditTrailRow, auditTrailList } from '#platform/privacy/audit-trail.ts';
import {
  formatBrazilianDay,
  type ListTimeline,
  mergeTimelines,
  type PersonalData,
  type TimelineEntry,
  toTimelinePage,
} from '#platform/privacy/personal-data.ts';
import { listStaffNames } from '#staff';
import type { FailedLogins } from './change-customer.ts';
import { CODE_TTL_MS, listWrongAttempts } from './codes/store.ts';
import { PHONE_AND_ADDRESS_LOCKOUT_KIND, PHONE_LOCKOUT_KIND } from './limits.ts';
import { PHONE_CHANGE_ACTOR } from './phone-changes/phone-change.ts';
import { hashPhoneSubject } from './sign-in.ts';
import { findIdentity } from './store.ts';

// `toTimelinePage` reads the number of entries from `total` of the rows.

const listRegistration: ListTimeline = async (db, customerId) => {
  const customerRows = await db.rows<{ total: number; created_at: Date; terms: string | null }>(sql`
    select 1 as total, created_at,
           (select min(version) from terms_acceptances where customer_id = ${customerId}) as terms
    from customers where id = ${customerId}`);
  return toTimelinePage(customerRows, ({ created_at: at, terms }) => ({
    at,
    kind: 'registered',
    text:
      terms === null
        ? 'Cadastro feito.'
        : `Cadastro feito pelo próprio cliente, com aceite dos termos ${terms}.`,
  }));
};

const listLogins: ListTimeline = async (db, customerId, limit) => {
  const sessionRows = await db.rows<{ total: number; id: string; created_at: Date }>(sql`
    select count(*) over () as total, id, created_at from sessions where customer_id = ${customerId}
    order by created_at desc, id desc limit ${limit}`);
  return toTimelinePage(sessionRows, ({ id, created_at: at }) => ({
    at,
    kind: 'login',
    text: 'Entrou na conta.',
    session_id: id,
  }));
};

const END_REASON_TEXTS: Record<string, string> = {
  logout: 'Saiu da conta.',
  locked: 'Sessão encerrada: a conta foi bloqueada.',
  phone_changed: 'Sessão encerrada: troca de telefone.',
  password_set: 'Sessão encerrada: uma nova senha foi definida.',
  refresh_reused: 'Sessão encerrada por segurança: o acesso foi usado duas vezes.',
};

const listSessionEnds: ListTimeline = async (db, customerId, limit) => {
  const ends = await db.rows<{ total: number; id: string; ended_at: Date; ended_reason: string | null }>(sql`
    select count(*) over () as total, id, ended_at, ended_reason from sessions
    where customer_id = ${customerId} and ended_at is not null order by ended_at desc, id desc limit ${limit}`);
  return toTimelinePage(ends, ({ id, ended_at: at, ended_reason }) => ({
    at,
    kind: 'session_ended',
    text: END_REASON_TEXTS[ended_reason ?? ''] ?? 'Sessão encerrada.',
    session_id: id,
  }));
};

const timeFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
});
const formatDateAndTime = (instant: Date) =>
  `${formatBrazilianDay(saoPauloDay(instant.getTime()))} às ${timeFormat.format(instant)}`;
const formatRepetitions = (count: number) => (count === 1 ? '1 vez' : `${count} vezes`);
const formatLockout = (until: Date | null, text: string) =>
  until === null ? '' : ` ${text} até ${timeFormat.format(until)}.`;

/** Lists wrong passwords and codes that are still counted. */
const listFailedLogins: ListTimeline = async (db, customerId, limit) => {
  const identity = await findIdentity(db, customerId);
  if (!identity) return { total: 0, entries: [] };
  const subject = hashPhoneSubject(db, identity.phone);
  // `reopens_at` is null unless the limit is reached.
  const wrongPasswords = await listAttemptsForPhone(db, subject, [
    PHONE_AND_ADDRESS_LOCKOUT_KIND,
    PHONE_LOCKOUT_KIND,
  ]);
  const wrongCodes = await listWrongAttempts(db, subject);
  const entries = [
    ...wrongPasswords
      .filter(({ kind, reopens_at }) => kind === PHONE_AND_ADDRESS_LOCKOUT_KIND || reopens_at !== null)
      .map(({ kind, count, last_at: at, reopens_at }) => ({
        at,
        kind: 'wrong_password',
        text:
          kind === PHONE_LOCKOUT_KIND
            ? `Senha errada ${formatRepetitions(count)}, de vários endereços.${formatLockout(reopens_at, 'Entrada por senha bloqueada para endereços novos')}`
            : `Senha errada ${formatRepetitions(count)}.${formatLockout(reopens_at, 'Entrada por senha bloqueada para o endereço')}`,
      })),
    ...wrongCodes.map(({ tries, expires_at, is_spent }) => ({
      at: new Date(expires_at.getTime() - CODE_TTL_MS),
      kind: 'wrong_code',
      text: `Código errado ${formatRepetitions(tries)}.${is_spent ? ' O código foi bloqueado.' : ''}`,
    })),
  ];
  return { total: entries.length, entries: entries.slice(0, limit) };
};

/** Required by `buildListQuery`, but no filter of the audit trail uses it. */
const UNUSED_TIME = new Date(0);

const listAuditedChanges: ListTimeline = async (db, customerId, limit) => {
  const changesQuery = buildListQuery(auditTrailList, { subject: `customer:${customerId}` }, UNUSED_TIME);
  const { total, rows } = await queryListPage(db, changesQuery, { page: 1, limit });
  const staffNames = await listStaffNames(db, [...new Set(rows.map(({ actor }) => actor))]);
  return { total, entries: rows.map((row) => describeChange(row, describeAuthor(row, staffNames))) };
};

const ACTION_TEXTS: Record<string, string> = {
  createCustomer: 'fez o cadastro',
  lockCustomer: 'bloqueou o acesso',
  unlockCustomer: 'liberou o acesso',
  endCustomerSession: 'encerrou uma sessão',
  endCustomerSessions: 'encerrou todas as sessões',
  exportCustomer: 'exportou os dados pessoais',
  eraseCustomer: 'apagou os dados pessoais',
  sendPhoneChangeCode: 'enviou um código ao telefone atual, para a troca do telefone',
  confirmPhoneChange: 'confirmou a troca do telefone',
  cancelPhoneChange: 'cancelou a troca do telefone',
};
/** Maps commands and the customer's own operations to the operation with the same text. */
const ACTION_ALIASES: Record<string, string> = {
  'customer create': 'createCustomer',
  'customer lock': 'lockCustomer',
  'customer unlock': 'unlockCustomer',
  'customer export': 'exportCustomer',
  'customer erase': 'eraseCustomer',
  'customer phone-confirm': 'confirmPhoneChange',
  'customer phone-cancel': 'cancelPhoneChange',
  cancelOwnPhoneChange: 'cancelPhoneChange',
  exportOwnData: 'exportCustomer',
  eraseOwnAccount: 'eraseCustomer',
};
const FIELD_NAMES: Record<string, string> = {
  name: 'nome',
  email: 'e-mail',
  phone: 'telefone',
  credit: 'limite de crédito',
};

/** Returns the subject of the sentence in Portuguese. */
function describeAuthor({ actor, subject_id }: AuditTrailRow, staffNames: ReadonlyMap<string, string>) {
  if (actor === subject_id) return 'O cliente';
  return staffNames.get(actor) ?? (actor.startsWith('command line') ? 'A operação' : 'A equipe');
}

/** `phone_change` is a string after an erasure, which overwrites the object. At `counts_at` the new phone takes effect. */
type AuditedFields = { phone?: string; phone_change?: { counts_at: string } | string | null };

/** Names the changed fields without their values, which are in the audit trail. */
function describeChange(row: AuditTrailRow, author: string): TimelineEntry {
  const { id, at, actor, action, before, reason } = row;
  const baseEntry = { at, kind: 'staff_change', trail_id: id };
  const after = (row.after ?? {}) as AuditedFields;
  if (actor === PHONE_CHANGE_ACTOR)
    return {
      ...baseEntry,
      kind: 'phone_change',
      text: after.phone
        ? 'A troca do telefone passou a valer.'
        : 'A troca do telefone não valeu: o número novo já é de outro cliente.',
    };
  const { phone_change: phoneChange, ...otherFields } = after;
  const fieldNames = Object.keys(otherFields).map((field) => FIELD_NAMES[field] ?? field);
  const clauses: string[] = [];
  if (fieldNames.length > 0) clauses.push(`alterou ${fieldNames.join(', ')}`);
  if (phoneChange) clauses.push(`pediu a troca do telefone${describeEffectiveDate(phoneChange)}`);
  if (clauses.length === 0) clauses.push('alterou o cadastro');
  const predicate = ACTION_TEXTS[ACTION_ALIASES[action] ?? action] ?? clauses.join(' e ');
  const sentence = `${author} ${predicate}${describeClearedFailures(before)}.`;
  if (reason === null) return { ...baseEntry, text: sentence };
  // The reason may contain the name of a person.
  return {
    ...baseEntry,
    text: `${sentence} Motivo: ${reason.replace(/\.?$/, '.')}`,
    masked: `${sentence} Motivo: ***.`,
  };
}

const describeEffectiveDate = (phoneChange: { counts_at: string } | string): string =>
  typeof phoneChange === 'string'
    ? ''
    : `, que vale a partir de ${formatDateAndTime(new Date(phoneChange.counts_at))}`;

/** Describes the counts that an unlock has reset: see `unlockCustomer`. */
function describeClearedFailures(before: object | null): string {
  const { wrong_passwords = 0, wrong_codes = 0 } = (before ?? {}) as Partial<FailedLogins>;
  const counts = [
    ...(wrong_passwords > 0 ? [`senhas erradas: ${wrong_passwords}`] : []),
    ...(wrong_codes > 0 ? [`códigos errados: ${wrong_codes}`] : []),
  ];
  return counts.length === 0 ? '' : ` e zerou as tentativas (${counts.join('; ')})`;
}

/** The part of a customer's timeline from this module: registration, logins, and changes by staff. */
export const customersTimeline = mergeTimelines(
  listAuditedChanges,
  listFailedLogins,
  listSessionEnds,
  listLogins,
  listRegistration,
);

/** Reads a page of a customer's timeline from all modules, newest first. */
export async function readTimeline(
  db: Queryable,
  personalData: readonly PersonalData[],
  customerId: string,
  { offset, limit }: PageRange,
): Promise<{ total: number; rows: TimelineEntry[] }> {
  const listEntries = mergeTimelines(...personalData.flatMap(({ timeline }) => timeline ?? []));
  const { total, entries } = await listEntries(db, customerId, offset + limit);
  return { total, rows: entries.slice(offset, offset + limit) };
}
