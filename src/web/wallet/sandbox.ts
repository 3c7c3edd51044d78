import { randomInt } from 'node:crypto';
import { isProblem } from '#client';
import { parseCpf } from '#core/cpf.ts';
import { safe } from './enter.tsx';
import { DATA_PAGE } from './sign-up.tsx';
import type { Form, FormVisit, Outcome, Sent } from './visit.ts';

const STEPS = ['P1D', 'P7D'];

const back = (sent: Sent) => safe(sent.text('volta')) ?? '/carteira';
const note = (page: string, text: string): Outcome => ({ to: page, flash: { page, note: text } });

const moveClock = async ({ sandbox }: FormVisit, sent: Sent): Promise<Outcome> => {
  const step = sent.text('avancar');
  if (STEPS.includes(step)) await sandbox!.advance(step);
  else await sandbox!.resetClock();
  return { to: back(sent) };
};

const pay = async ({ api, sandbox }: FormVisit, sent: Sent): Promise<Outcome> => {
  const { txid, status } = await api.getPix({ path: { id: sent.text('pix') } });
  if (status === 'pending') await sandbox!.pay(txid);
  return { to: back(sent) };
};

const offer = async ({ sandbox, who }: FormVisit, sent: Sent): Promise<Outcome> => {
  if (!who) return { to: '/carteira' };
  try {
    return { to: `/carteira/ofertas/${await sandbox!.offer(who.phone)}` };
  } catch (error) {
    if (!isProblem(error, 'too_many_offers')) throw error;
    return note(
      back(sent),
      'A padaria já enviou ofertas demais para este celular hoje. Avance um dia no relógio.',
    );
  }
};

const NAMES = ['Joana Prado', 'Rafael Moreira', 'Lia Batista', 'Caio Ferraz', 'Marta Queiroz'];

/** Fills the sign-up form with a made-up person and a valid CPF. */
const fillIn = async ({ sandbox, proof }: FormVisit): Promise<Outcome> => {
  const messages = proof ? await sandbox!.messages(proof.phone) : [];
  const code = messages.find((message) => message.code)?.code;
  const name = NAMES[randomInt(NAMES.length)]!;
  const values = {
    ...(code && { code }),
    name,
    cpf: makeUpCpf(),
    birth_date: '31/05/1990',
    email: `${name.split(' ')[0]!.toLowerCase()}@example.com`,
  };
  return { to: DATA_PAGE, flash: { page: DATA_PAGE, values } };
};

function makeUpCpf(): string {
  for (;;) {
    const cpf = parseCpf(String(randomInt(1e11)).padStart(11, '0'));
    if (cpf) return cpf.replace(/^(\d{3})(\d{3})(\d{3})/, '$1.$2.$3-');
  }
}

const form = (act: Form['act'], isPrivate: boolean): Form => ({ page: '/carteira', isPrivate, act });

/** The forms of the sandbox bar; present in the sandbox only. */
export const SANDBOX_FORMS: Record<string, Form> = {
  '/carteira/sandbox/relogio': form(moveClock, false),
  '/carteira/sandbox/pagar': form(pay, true),
  '/carteira/sandbox/oferta': form(offer, true),
  '/carteira/sandbox/pessoa': form(fillIn, false),
};
