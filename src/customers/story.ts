import { saoPauloDay } from '#core/day.ts';
import { sql } from '#platform/database/db.ts';
import { listAttemptsAbout } from '#platform/http/attempt-limits.ts';
import { listPage } from '#platform/http/listing.ts';
import {
  type StoryLine,
  type Storyteller,
  spokenDay,
  storyOf,
  told,
} from '#platform/privacy/personal-data.ts';
import { listedTrail, type TrailRow } from '#platform/privacy/trail.ts';
import { listNames } from '#staff';
import { CODE_LIFE_MS, listWrongTries } from './codes/store.ts';
import type { FailedLogins } from './failed-logins.ts';
import { WRONG_PASSWORDS, WRONG_PASSWORDS_FROM_ADDRESS } from './limits.ts';
import { BY_TIME } from './phone-changes/phone-change.ts';
import { phoneSubject } from './sign-in.ts';
import { findIdentity } from './store.ts';

const tellRegistration: Storyteller = async (db, customerId) => {
  const rows = await db.rows<{ total: number; created_at: Date; terms: string | null }>(sql`
    select 1 as total, created_at,
           (select min(version) from terms_acceptances where customer_id = ${customerId}) as terms
    from customers where id = ${customerId}`);
  return told(rows, ({ created_at: at, terms }) => ({
    at,
    kind: 'registered',
    text:
      terms === null
        ? 'Cadastro feito.'
        : `Cadastro feito pelo próprio cliente, com aceite dos termos ${terms}.`,
  }));
};

const tellLogins: Storyteller = async (db, customerId, most) => {
  const rows = await db.rows<{ total: number; id: string; created_at: Date }>(sql`
    select count(*) over () as total, id, created_at from sessions where customer_id = ${customerId}
    order by created_at desc, id desc limit ${most}`);
  return told(rows, ({ id, created_at: at }) => ({
    at,
    kind: 'login',
    text: 'Entrou na conta.',
    session_id: id,
  }));
};

const ENDS: Record<string, string> = {
  logout: 'Saiu da conta.',
  locked: 'Sessão encerrada: a conta foi bloqueada.',
  phone_changed: 'Sessão encerrada: troca de telefone.',
  password_set: 'Sessão encerrada: uma nova senha foi definida.',
  refresh_reused: 'Sessão encerrada por segurança: o acesso foi usado duas vezes.',
};

const tellEnds: Storyteller = async (db, customerId, most) => {
  const rows = await db.rows<{ total: number; id: string; ended_at: Date; ended_reason: string | null }>(sql`
    select count(*) over () as total, id, ended_at, ended_reason from sessions
    where customer_id = ${customerId} and ended_at is not null order by ended_at desc, id desc limit ${most}`);
  return told(rows, ({ id, ended_at: at, ended_reason }) => ({
    at,
    kind: 'session_ended',
    text: ENDS[ended_reason ?? ''] ?? 'Sessão encerrada.',
    session_id: id,
  }));
};

const clockTime = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
});
const whenOf = (at: Date) => `${spokenDay(saoPauloDay(at.getTime()))} às ${clockTime.format(at)}`;
const times = (count: number) => (count === 1 ? '1 vez' : `${count} vezes`);
const until = (at: Date | null, text: string) => (at === null ? '' : ` ${text} até ${clockTime.format(at)}.`);

/** Wrong passwords and codes, for as long as they are counted. */
const tellFailedLogins: Storyteller = async (db, customerId, most) => {
  const person = await findIdentity(db, customerId);
  if (!person) return { total: 0, lines: [] };
  const subject = phoneSubject(db, person.phone);
  const passwords = await listAttemptsAbout(db, subject, [WRONG_PASSWORDS_FROM_ADDRESS, WRONG_PASSWORDS]);
  const codes = await listWrongTries(db, subject);
  const lines = [
    ...passwords
      .filter(({ kind, reopens_at }) => kind === WRONG_PASSWORDS_FROM_ADDRESS || reopens_at !== null)
      .map(({ kind, count, last_at: at, reopens_at }) => ({
        at,
        kind: 'wrong_password',
        text:
          kind === WRONG_PASSWORDS
            ? `Senha errada ${times(count)}, de vários endereços.${until(reopens_at, 'Entrada por senha bloqueada para endereços novos')}`
            : `Senha errada ${times(count)}.${until(reopens_at, 'Entrada por senha bloqueada para o endereço')}`,
      })),
    ...codes.map(({ tries, expires_at, is_spent }) => ({
      at: new Date(expires_at.getTime() - CODE_LIFE_MS),
      kind: 'wrong_code',
      text: `Código errado ${times(tries)}.${is_spent ? ' O código foi bloqueado.' : ''}`,
    })),
  ];
  return { total: lines.length, lines: lines.slice(0, most) };
};

const tellChanges: Storyteller = async (db, customerId, most) => {
  const changes = listedTrail({ subject: `customer:${customerId}` });
  const { total, rows } = await listPage(db, changes, { page: 1, limit: most });
  const names = await listNames(db, [...new Set(rows.map(({ actor }) => actor))]);
  return { total, lines: rows.map((row) => tellChange(row, authorOf(row, names))) };
};

const ACTIONS: Record<string, string> = {
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
/** The same, done at the command line or by the customer. */
const SAME_AS: Record<string, string> = {
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
const FIELDS: Record<string, string> = {
  name: 'nome',
  email: 'e-mail',
  phone: 'telefone',
  credit: 'limite de crédito',
};

/** Who did it, as a sentence begins. */
function authorOf({ actor, subject_id }: TrailRow, names: ReadonlyMap<string, string>): string {
  if (actor === subject_id) return 'O cliente';
  return names.get(actor) ?? (actor.startsWith('command line') ? 'A operação' : 'A equipe');
}

/** `phone_change` is a text where it is erased. */
type Sides = { phone?: string; phone_change?: { counts_at: string } | string | null };

/** What was changed, not from what to what: that is in the trail, for who may see it. */
function tellChange(row: TrailRow, who: string): StoryLine {
  const { id, at, actor, action, before, reason } = row;
  const line = { at, kind: 'staff_change', trail_id: id };
  const after = (row.after ?? {}) as Sides;
  if (actor === BY_TIME)
    return {
      ...line,
      kind: 'phone_change',
      text: after.phone
        ? 'A troca do telefone passou a valer.'
        : 'A troca do telefone não valeu: o número novo já é de outro cliente.',
    };
  const { phone_change: asked, ...rest } = after;
  const fields = Object.keys(rest).map((field) => FIELDS[field] ?? field);
  const parts = [
    ...(fields.length > 0 || !asked ? [`alterou ${fields.join(', ') || 'o cadastro'}`] : []),
    ...(asked ? [`pediu a troca do telefone${countsIn(asked)}`] : []),
  ];
  const did = ACTIONS[SAME_AS[action] ?? action] ?? parts.join(' e ');
  const told = `${who} ${did}${forgottenIn(before)}.`;
  if (reason === null) return { ...line, text: told };
  // Whoever wrote the reason may have named somebody in it.
  return { ...line, text: `${told} Motivo: ${reason.replace(/\.?$/, '.')}`, masked: `${told} Motivo: ***.` };
}

const countsIn = (asked: { counts_at: string } | string): string =>
  typeof asked === 'string' ? '' : `, que vale a partir de ${whenOf(new Date(asked.counts_at))}`;

/** What an unlock forgot: see `unlockCustomer`. */
function forgottenIn(before: object | null): string {
  const { wrong_passwords = 0, wrong_codes = 0 } = (before ?? {}) as Partial<FailedLogins>;
  const parts = [
    ...(wrong_passwords > 0 ? [`senhas erradas: ${wrong_passwords}`] : []),
    ...(wrong_codes > 0 ? [`códigos errados: ${wrong_codes}`] : []),
  ];
  return parts.length === 0 ? '' : ` e zerou as tentativas (${parts.join('; ')})`;
}

/** Registration, logins, and what people of the operator's changed. */
export const customersStory = storyOf(tellChanges, tellFailedLogins, tellEnds, tellLogins, tellRegistration);
