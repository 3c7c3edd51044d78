import type { Page } from '../server/page.ts';
import { Brand } from './icons.tsx';
import { type AppHead, PersonalHead } from './personal-layout.tsx';

/** The page that a service worker caches: the same for everybody, without personal data. */
export const offlinePage = (app: AppHead, label: string): Page => ({
  body: (
    <html lang="pt-BR">
      <PersonalHead title="Sem conexão" app={app} />
      <body class="wallet signed-out" data-home={app.home}>
        <header class="top">
          <div class="wrap top-row">
            <Brand href={app.home} label={label} />
          </div>
        </header>
        <main id="conteudo">
          <div class="wrap door">
            <h1>Sem conexão</h1>
            <p class="lead">
              Não foi possível conectar à Semana. Confira a sua internet. Nada do que você fez se perdeu, e
              nada foi cobrado.
            </p>
            <p class="actions">
              <a class="button" href={app.home} data-again>
                Tentar de novo
              </a>
            </p>
          </div>
        </main>
      </body>
    </html>
  ),
});
