import type { Page } from '../server/page.ts';
import { Mark } from '../ui/icons.tsx';
import { PersonalHead } from '../ui/personal-layout.tsx';

/** The page the service worker caches: the same for everybody, without personal data. */
export const offlinePage = (): Page => ({
  body: (
    <html lang="pt-BR">
      <PersonalHead title="Sem conexão" />
      <body class="wallet signed-out">
        <header class="top">
          <div class="wrap top-row">
            <a class="brand" href="/carteira" aria-label="Semana, sua carteira">
              <Mark />
              <span>semana</span>
            </a>
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
              <a class="button" href="/carteira" data-again>
                Tentar de novo
              </a>
            </p>
          </div>
        </main>
      </body>
    </html>
  ),
});
