import type { FastifyReply, FastifyRequest } from 'fastify';
import { isProblem } from '#client';
import type { Host, People } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import type { Sandbox } from '../server/sandbox.ts';
import { policyOf, refuseForeign } from '../server/security.ts';
import { Brand } from '../ui/icons.tsx';
import { PersonalHead } from '../ui/personal-layout.tsx';
import { HOME, TILL_APP } from './layout.tsx';

const PATH = '/lado-a-lado';
const CLERK = '+5511987650011';
/** A customer of the demo data with nothing late. */
const CUSTOMER = { phone: '+5511987650003', password: 'semana-demo-3' };

/** The till and the wallet in one window, for somebody who tries both. In the sandbox only. */
export function addSideBySide(host: Host, members: People, sandbox: Sandbox): void {
  const { server, customers, sendPage } = host;
  server.get(PATH, async (request, reply) => {
    const isReady = [members, customers].every((people) => people.sessions().of(request, reply));
    return sendPage(request, reply, isReady ? framesPage() : startPage());
  });
  server.post(PATH, async (request, reply) => {
    if (refuseForeign(request, reply)) return reply;
    await signInBoth(request, reply);
    return reply.redirect(PATH, 303);
  });

  async function signInBoth(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!customers.sessions().of(request, reply)) {
      const login = await customers.callerOf(request).logIn({ body: CUSTOMER });
      customers.sessions().begin(reply, login);
    }
    if (members.sessions().of(request, reply)) return;
    const api = members.callerOf(request);
    try {
      const { challenge_id } = await members.sendCode(api, CLERK);
      const sent = (await sandbox.messages(CLERK)).find(({ code }) => code);
      const login = await members.logInByCode(api, { phone: CLERK, challenge_id, code: sent?.code ?? '' });
      members.sessions().begin(reply, login);
    } catch (error) {
      // The frame of the till asks for the code that was sent a moment ago.
      if (!isProblem(error)) throw error;
    }
  }
}

const startPage = (): Page => ({
  body: (
    <Around>
      <div class="wrap door">
        <h1>Balcão e carteira, lado a lado</h1>
        <p class="lead">
          Entramos por você: à esquerda Téo, no caixa da Padaria Flor do Trigo; à direita Carla, a cliente.
        </p>
        <form action={PATH} method="post">
          <button class="button wide" type="submit">
            Abrir os dois
          </button>
        </form>
      </div>
    </Around>
  ),
});

const framesPage = (): Page => ({
  headers: { 'content-security-policy': policyOf({ frames: true, framed: false }) },
  body: (
    <Around>
      <div class="wrap pair-head">
        <h1>Balcão e carteira</h1>
        <ol>
          <li>No balcão, digite um valor e escolha as semanas.</li>
          <li>
            Toque em <b>Abrir como cliente</b>: a compra abre na carteira, como se lida do QR code.
          </li>
          <li>Aceite. Os dois ficam verdes.</li>
        </ol>
      </div>
      <div class="pair-frames">
        <iframe name="balcao" src={HOME} title="O balcão" />
        <iframe name="carteira" src="/carteira" title="A carteira" />
      </div>
    </Around>
  ),
});

const Around = ({ children }: { children: preact.ComponentChildren }) => (
  <html lang="pt-BR">
    <PersonalHead title="Lado a lado" app={TILL_APP} />
    <body class="wallet signed-out" data-home={TILL_APP.home}>
      <header class="top">
        <div class="wrap top-row">
          <Brand href="/" label="Semana, página inicial" />
        </div>
      </header>
      <main id="conteudo">{children}</main>
    </body>
  </html>
);
