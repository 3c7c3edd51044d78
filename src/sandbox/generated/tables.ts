// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const psp_sim_charges = {
  txid: column.text(),
  status: column.text<'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'>(),
  revision: column.integer(),
  terms: column.jsonb(),
  created_at: column.timestamptz(),
};

export const psp_sim_debits = {
  txid: column.text(),
  rec_id: column.text(),
  status: column.text<'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA'>(),
  cycle: column.integer(),
  amount_cents: column.bigint(),
  terms: column.jsonb(),
  attempts: column.jsonb(),
  ended: column.jsonb().nullable(),
  updates: column.jsonb(),
  next_try_at: column.timestamptz().nullable(),
  created_at: column.timestamptz(),
};

export const psp_sim_deliveries = {
  id: column.bigint(),
  url: column.text(),
  pix: column.jsonb(),
  state: column.text<'waiting' | 'delivered' | 'failed' | 'withheld'>(),
  attempts: column.integer(),
  due_at: column.timestamptz(),
  claimed_until: column.timestamptz().nullable(),
  last_outcome: column.text().nullable(),
  created_at: column.timestamptz(),
  kind: column.text<'pix' | 'rec' | 'cobr'>(),
};

export const psp_sim_locations = {
  id: column.bigint(),
  token: column.text(),
  location: column.text(),
  txid: column.text().nullable(),
  created_at: column.timestamptz(),
};

export const psp_sim_past_terms = {
  txid: column.text(),
  revision: column.integer(),
  terms: column.jsonb(),
};

export const psp_sim_pix = {
  end_to_end_id: column.text(),
  txid: column.text(),
  key: column.text().nullable(),
  amount_cents: column.bigint(),
  paid_at: column.timestamptz(),
  told_as: column.text().nullable(),
};

export const psp_sim_rec_locations = {
  id: column.bigint(),
  token: column.text(),
  location: column.text(),
  created_at: column.timestamptz(),
};

export const psp_sim_recs = {
  id: column.text(),
  status: column.text<'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA'>(),
  location_id: column.bigint().nullable(),
  terms: column.jsonb(),
  first_txid: column.text().nullable(),
  ended: column.jsonb().nullable(),
  updates: column.jsonb(),
  created_at: column.timestamptz(),
};

export const psp_sim_refunds = {
  end_to_end_id: column.text(),
  id: column.text(),
  return_id: column.text(),
  amount_cents: column.bigint(),
  nature: column.text(),
  description: column.text().nullable(),
  status: column.text<'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'>(),
  requested_at: column.timestamptz(),
  settled_at: column.timestamptz().nullable(),
  settles_at: column.timestamptz().nullable(),
  outcome: column.text<'DEVOLVIDO' | 'NAO_REALIZADO'>(),
};

export const psp_sim_settings = {
  only_row: column.boolean(),
  simulator_id: column.text(),
  token_secret: column.bytea(),
  signing_key: column.jsonb(),
  faults: column.jsonb(),
};

export const psp_sim_webhooks = {
  key: column.text(),
  url: column.text(),
  created_at: column.timestamptz(),
};

export const sandbox_clock = {
  only_row: column.boolean(),
  offset_ms: column.bigint(),
  revision: column.bigint(),
};

export const sandbox_messages = {
  id: column.bigint(),
  phone: column.text().nullable(),
  text: column.text(),
  code: column.text().nullable(),
  sent_at: column.timestamptz(),
  channel: column.text(),
  template: column.text(),
  step: column.smallint().nullable(),
  email: column.text().nullable(),
  link: column.text().nullable(),
};
