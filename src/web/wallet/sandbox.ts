import { isProblem } from '#client';
import { safe } from './enter.tsx';
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
    return note(back(sent), 'A padaria já mandou ofertas demais para este celular hoje. Avance um dia.');
  }
};

const form = (act: Form['act'], isPrivate: boolean): Form => ({ page: '/carteira', isPrivate, act });

/** What the bar does. They are there in the sandbox only. */
export const SANDBOX_FORMS: Record<string, Form> = {
  '/carteira/sandbox/relogio': form(moveClock, false),
  '/carteira/sandbox/pagar': form(pay, true),
  '/carteira/sandbox/oferta': form(offer, true),
};
