import { sql } from '#platform/database/db.ts';
import { listAttemptsAbout } from '#platform/http/attempt-limits.ts';
import { listPage } from '#platform/http/listing.ts';
import { type StoryLine, type Storyteller, storyOf, told } from '#platform/privacy/personal-data.ts';
import { listedTrail, type TrailRow } from '#platform/privacy/trail.ts';
import { listNames } from '#staff';
import { CODE_LIFE_MS, listWrongTries } from './codes/store.ts';
import { phoneSubject } from './customers.ts';
import type { FailedLogins } from './failed-logins.ts';
import { WRONG_PASSWORDS, WRONG_PASSWORDS_FROM_ADDRESS } from './limits.ts';
import { openIdentity, type SealedIdentity } from './people.ts';

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

const PURPOSES: Record<string, string> = { login_code: 'código de acesso', offer: 'oferta de compra' };
const OUTCOMES: Record<string, string> = {
  sent: 'enviada',
  retrying: 'ainda não enviada; nova tentativa em breve',
  failed: 'não pôde ser enviada',
};

const tellMessages: Storyteller = async (db, customerId, most) => {
  const rows = await db.rows<{
    total: number;
    id: string;
    purpose: string;
    status: string;
    updated_at: Date;
  }>(sql`
    select count(*) over () as total, id, purpose, status, updated_at from messages
    where customer_id = ${customerId} order by updated_at desc, id desc limit ${most}`);
  return told(rows, ({ id, purpose, status, updated_at: at }) => ({
    at,
    kind: 'message',
    message_id: id,
    text: `Mensagem (${PURPOSES[purpose] ?? purpose}) ${OUTCOMES[status] ?? status}.`,
  }));
};

const clockTime = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
});
const times = (count: number) => (count === 1 ? '1 vez' : `${count} vezes`);
const until = (at: Date | null, text: string) => (at === null ? '' : ` ${text} até ${clockTime.format(at)}.`);

/** Wrong passwords and codes, for as long as they are counted. */
const tellFailedLogins: Storyteller = async (db, customerId, most) => {
  const row = await db.row<SealedIdentity>(
    sql`select id, person_sealed from customers where id = ${customerId}`,
  );
  if (!row) return { total: 0, lines: [] };
  const subject = phoneSubject({ vault: db.vault }, openIdentity(db.vault, row).phone);
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
  return { total, lines: rows.map((row) => tellChange(row, names.get(row.actor))) };
};

const ACTIONS: Record<string, string> = {
  createCustomer: 'fez o cadastro',
  lockCustomer: 'bloqueou o acesso',
  unlockCustomer: 'liberou o acesso',
  exportCustomer: 'exportou os dados pessoais',
  eraseCustomer: 'apagou os dados pessoais',
};
/** The command line says the same in its own words. */
const SAME_AS: Record<string, string> = {
  'customer create': 'createCustomer',
  'customer lock': 'lockCustomer',
  'customer unlock': 'unlockCustomer',
  'customer export': 'exportCustomer',
  'customer erase': 'eraseCustomer',
};
const FIELDS: Record<string, string> = {
  name: 'nome',
  email: 'e-mail',
  phone: 'telefone',
  credit: 'limite de crédito',
};

/** What was changed, not from what to what: that is in the trail, for who may see it. */
function tellChange(
  { id, at, actor, action, before, after, reason }: TrailRow,
  name: string | undefined,
): StoryLine {
  const fields = Object.keys(after ?? {}).map((field) => FIELDS[field] ?? field);
  const did = ACTIONS[SAME_AS[action] ?? action] ?? `alterou ${fields.join(', ') || 'o cadastro'}`;
  const who = name ?? (actor.startsWith('command line') ? 'A operação' : 'A equipe');
  const why = reason === null ? '' : ` Motivo: ${reason.replace(/\.?$/, '.')}`;
  return { at, kind: 'staff_change', text: `${who} ${did}${forgottenIn(before)}.${why}`, trail_id: id };
}

/** What an unlock forgot: see `unlockCustomer`. */
function forgottenIn(before: object | null): string {
  const { wrong_passwords = 0, wrong_codes = 0 } = (before ?? {}) as Partial<FailedLogins>;
  const parts = [
    ...(wrong_passwords > 0 ? [`senhas erradas: ${wrong_passwords}`] : []),
    ...(wrong_codes > 0 ? [`códigos errados: ${wrong_codes}`] : []),
  ];
  return parts.length === 0 ? '' : ` e zerou as tentativas (${parts.join('; ')})`;
}

/** Registration, logins, messages, and what people of the operator's changed. */
export const customersStory = storyOf(
  tellChanges,
  tellFailedLogins,
  tellEnds,
  tellMessages,
  tellLogins,
  tellRegistration,
);
