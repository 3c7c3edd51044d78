import { randomInt } from 'node:crypto';
import { isProblem } from '#client';
import { parseCpf } from '#core/values/cpf.ts';
import { definePublicForm, defineSessionForm, redirectWithNote } from './form.ts';
import { sanitizeRedirect } from './sign-in.ts';
import type { SubmittedForm } from './submitted-form.ts';
import type { FormHandler, FormVisit } from './visit.ts';

/** The durations by which the clock can be advanced. Any other value resets it. */
const CLOCK_DURATIONS = ['P1D', 'P7D'];

/** Reads the path of the page whose sandbox bar was used. */
const readReturnPath = ({ pagePath }: FormVisit, form: SubmittedForm) =>
  sanitizeRedirect(form.readText('volta')) ?? pagePath;

const FICTITIOUS_NAMES = ['Joana Prado', 'Rafael Moreira', 'Lia Batista', 'Caio Ferraz', 'Marta Queiroz'];

function generateCpf(): string {
  for (;;) {
    const cpf = parseCpf(String(randomInt(1e11)).padStart(11, '0'));
    if (cpf) return cpf.replace(/^(\d{3})(\d{3})(\d{3})/, '$1.$2.$3-');
  }
}

/** Creates the forms of the sandbox bar for the app whose home page has this path. Only the sandbox has them. */
export const createSandboxForms = (homePath: string): Record<string, FormHandler> => ({
  [`${homePath}/sandbox/relogio`]: definePublicForm(homePath, async (visit, form) => {
    const duration = form.readText('avancar');
    await visit.sandbox!.moveClock(CLOCK_DURATIONS.includes(duration) ? duration : undefined);
    return { redirectTo: readReturnPath(visit, form) };
  }),
  [`${homePath}/sandbox/pagar`]: defineSessionForm(homePath, async (visit, form) => {
    const { txid, status } = await visit.api.getPix({ path: { id: form.readText('pix') } });
    if (status === 'pending') await visit.sandbox!.staff.payCharge({ path: { txid } });
    return { redirectTo: readReturnPath(visit, form) };
  }),
  [`${homePath}/sandbox/autorizar`]: defineSessionForm(homePath, async (visit, form) => {
    const { id, status } = await visit.api.getAutopay({ path: { hash: form.readText('compra') } });
    if (status === 'pending') await visit.sandbox!.staff.authoriseAutopay({ path: { id } });
    return { redirectTo: readReturnPath(visit, form) };
  }),
  [`${homePath}/sandbox/oferta`]: defineSessionForm(homePath, async (visit, form) => {
    const { sandbox, user, pagePath } = visit;
    if (!user) return { redirectTo: pagePath };
    try {
      return { redirectTo: `/carteira/ofertas/${(await sandbox!.createOffer(user.phone)).id}` };
    } catch (error) {
      if (!isProblem(error, 'too_many_offers')) throw error;
      return redirectWithNote(
        readReturnPath(visit, form),
        'A padaria já enviou ofertas demais para este celular hoje. Avance um dia no relógio.',
      );
    }
  }),
  // Opens a new offer of the bakery, as if the visitor had scanned the QR code at its counter.
  [`${homePath}/sandbox/balcao`]: definePublicForm(homePath, async ({ sandbox }) => {
    const { link } = await sandbox!.createOffer();
    return { redirectTo: `/pagar/${link.split('/').at(-1)}` };
  }),
  // Fills the sign-up form with a fictitious person and a valid CPF.
  [`${homePath}/sandbox/pessoa`]: definePublicForm(homePath, async (visit, form) => {
    const { sandbox, challenge } = visit;
    const pagePath = readReturnPath(visit, form);
    const messages = challenge ? await sandbox!.listMessages(challenge.phone) : [];
    const code = messages.find((message) => message.code)?.code;
    const name = FICTITIOUS_NAMES[randomInt(FICTITIOUS_NAMES.length)]!;
    const values = {
      ...(code && { code }),
      name,
      cpf: generateCpf(),
      birth_date: '31/05/1990',
      email: `${name.split(' ')[0]!.toLowerCase()}@example.com`,
    };
    return { redirectTo: pagePath, flash: { pagePath, values } };
  }),
});
