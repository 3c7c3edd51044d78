import { randomInt } from 'node:crypto';
import { isProblem } from '#client';
import { parseCpf } from '#core/cpf.ts';
import { told } from './form.ts';
import { safe } from './sign-in.ts';
import type { Form, FormOutcome, FormVisit, Sent } from './visit.ts';

const STEPS = ['P1D', 'P7D'];

const back = ({ page }: FormVisit, sent: Sent) => safe(sent.text('volta')) ?? page;

const moveClock = async (visit: FormVisit, sent: Sent): Promise<FormOutcome> => {
  const step = sent.text('avancar');
  if (STEPS.includes(step)) await visit.sandbox!.advance(step);
  else await visit.sandbox!.resetClock();
  return { to: back(visit, sent) };
};

const pay = async (visit: FormVisit, sent: Sent): Promise<FormOutcome> => {
  const { txid, status } = await visit.api.getPix({ path: { id: sent.text('pix') } });
  if (status === 'pending') await visit.sandbox!.pay(txid);
  return { to: back(visit, sent) };
};

const authorise = async (visit: FormVisit, sent: Sent): Promise<FormOutcome> => {
  const { id, status } = await visit.api.getAutopay({ path: { hash: sent.text('compra') } });
  if (status === 'pending') await visit.sandbox!.authorise(id);
  return { to: back(visit, sent) };
};

const offer = async (visit: FormVisit, sent: Sent): Promise<FormOutcome> => {
  const { sandbox, who, page } = visit;
  if (!who) return { to: page };
  try {
    return { to: `/carteira/ofertas/${(await sandbox!.offer(who.phone)).id}` };
  } catch (error) {
    if (!isProblem(error, 'too_many_offers')) throw error;
    return told(
      back(visit, sent),
      'A padaria já enviou ofertas demais para este celular hoje. Avance um dia no relógio.',
    );
  }
};

/** As if one had opened the link on the bakery's counter. */
const openOffer = async ({ sandbox }: FormVisit): Promise<FormOutcome> => {
  const { link } = await sandbox!.offer();
  return { to: `/pagar/${link.split('/').at(-1)}` };
};

const NAMES = ['Joana Prado', 'Rafael Moreira', 'Lia Batista', 'Caio Ferraz', 'Marta Queiroz'];

/** Fills the sign-up form with a made-up person and a valid CPF. */
const fillIn = async (visit: FormVisit, sent: Sent): Promise<FormOutcome> => {
  const { sandbox, proof } = visit;
  const page = back(visit, sent);
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
  return { to: page, flash: { page, values } };
};

function makeUpCpf(): string {
  for (;;) {
    const cpf = parseCpf(String(randomInt(1e11)).padStart(11, '0'));
    if (cpf) return cpf.replace(/^(\d{3})(\d{3})(\d{3})/, '$1.$2.$3-');
  }
}

/** What the bar does, for a face with this home. They are there in the sandbox only. */
export function sandboxForms(home: string): Record<string, Form> {
  const form = (act: Form['act'], isPrivate: boolean): Form => ({ page: home, isPrivate, act });
  return {
    [`${home}/sandbox/relogio`]: form(moveClock, false),
    [`${home}/sandbox/pagar`]: form(pay, true),
    [`${home}/sandbox/autorizar`]: form(authorise, true),
    [`${home}/sandbox/oferta`]: form(offer, true),
    [`${home}/sandbox/balcao`]: form(openOffer, false),
    [`${home}/sandbox/pessoa`]: form(fillIn, false),
  };
}
