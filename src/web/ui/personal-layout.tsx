import type { ComponentChildren } from 'preact';
import { assets } from '../server/assets.ts';
import type { Bar, Frame } from '../server/visit.ts';
import { CreditorLine } from './creditor.tsx';
import { shortTime, showPhone, whole } from './format.ts';
import { Mark } from './icons.tsx';
import { PostForm } from './personal-parts.tsx';
import { ThemeHead, ThemeSwitch } from './theme.tsx';

const LINKS = [
  { href: '/contato', text: 'Falar com a gente' },
  { href: '/perguntas', text: 'Perguntas' },
  { href: '/lojas', text: 'Lojas' },
  { href: '/termos', text: 'Termos' },
  { href: '/privacidade', text: 'Privacidade' },
];

/** Around a page for one person. Titles stay in histories: none names a person, a merchant or an amount. */
export function PersonalLayout(props: {
  title: string;
  visit: Frame;
  /** Where the brand leads, and its name there. */
  brand: { href: string; label: string };
  /** Navigation of the face. */
  nav?: ComponentChildren;
  /** The id of a charge that the sandbox bar can pay. */
  pixId?: string | undefined;
  /** Without scripts the page reloads after this many seconds, or leads on to `leadTo`. */
  refreshSeconds?: number | undefined;
  leadTo?: string | undefined;
  /** Of the page, for previews of a link to it. */
  description?: string | undefined;
  children: ComponentChildren;
}) {
  const { title, visit, brand, nav, pixId, children, ...head } = props;
  const { who, bar, flash } = visit;
  const full = flash?.faults ? `Confira: ${title}` : title;
  return (
    <html lang="pt-BR">
      <PersonalHead {...head} title={full} />
      <body class={who ? 'wallet' : 'wallet signed-out'}>
        <a class="skip" href="#conteudo">
          Ir para o conteúdo
        </a>
        <header class="top">
          <div class="wrap top-row">
            <a class="brand" href={brand.href} aria-label={brand.label}>
              <Mark />
              <span>semana</span>
            </a>
            {nav}
            <a class="button small quiet" href="/perguntas">
              Ajuda
            </a>
          </div>
        </header>
        {bar && <SandboxBar bar={bar} visit={visit} pixId={pixId} />}
        <main id="conteudo" tabIndex={-1}>
          {children}
        </main>
        <footer class="wallet-foot">
          <div class="wrap">
            <ul>
              {LINKS.map(({ href, text }) => (
                <li key={href}>
                  <a href={href}>{text}</a>
                </li>
              ))}
            </ul>
            <ThemeSwitch />
            <CreditorLine />
          </div>
        </footer>
      </body>
    </html>
  );
}

export function PersonalHead({
  title,
  refreshSeconds,
  leadTo,
  description = 'A sua carteira na Semana: compras, parcelas, PIX e cashback.',
}: {
  title: string;
  refreshSeconds?: number | undefined;
  leadTo?: string | undefined;
  description?: string | undefined;
}) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{title} · Semana</title>
      <meta name="description" content={description} />
      <meta property="og:title" content={`${title} · Semana`} />
      <meta property="og:description" content={description} />
      <meta name="robots" content="noindex" />
      {refreshSeconds && (
        <noscript>
          <meta
            http-equiv="refresh"
            content={leadTo ? `${refreshSeconds};url=${leadTo}` : String(refreshSeconds)}
          />
        </noscript>
      )}
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/icon-180.png" />
      <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
      <link rel="stylesheet" href={assets.css} />
      <link rel="stylesheet" href={assets.walletCss} />
      <ThemeHead />
      <script type="module" src={assets.wallet} />
    </head>
  );
}

/** Sandbox tools: pay a charge, receive an offer, move the clock. */
function SandboxBar(props: { bar: Bar; visit: Frame; pixId?: string | undefined }) {
  const { bar, visit, pixId } = props;
  const { now, isMoved, messages, code, canOffer, canFillIn } = bar;
  const back = <input type="hidden" name="volta" value={visit.path} />;
  return (
    <aside class="sandbox" aria-label="Ferramentas do sandbox">
      <div class="wrap">
        {code && (
          <p class="sandbox-code">
            SMS que você receberia: o código é <b>{code}</b>
          </p>
        )}
        {canFillIn && (
          <PostForm visit={visit} action={`${visit.home}/sandbox/pessoa`}>
            {back}
            <button type="submit" class="button small">
              Preencher por mim
            </button>
          </PostForm>
        )}
        {pixId && (
          <PostForm visit={visit} action={`${visit.home}/sandbox/pagar`}>
            {back}
            <input type="hidden" name="pix" value={pixId} />
            <button type="submit" class="button small">
              Pagar este PIX
            </button>
          </PostForm>
        )}
        <details>
          <summary>
            Sandbox<span class="sandbox-more">: dinheiro de mentira</span>
          </summary>
          <div class="sandbox-tools">
            <p>
              Data do sandbox: <b>{shortTime(now)}</b>
              {isMoved && ' (relógio alterado)'}
            </p>
            <div class="actions">
              <PostForm visit={visit} action={`${visit.home}/sandbox/relogio`}>
                {back}
                <button class="button small quiet" type="submit" name="avancar" value="P1D">
                  + 1 dia
                </button>
                <button class="button small quiet" type="submit" name="avancar" value="P7D">
                  + 7 dias
                </button>
                {isMoved && (
                  <button class="button small quiet" type="submit" name="avancar" value="0">
                    Voltar para hoje
                  </button>
                )}
              </PostForm>
              <PostForm visit={visit} action={`${visit.home}/sandbox/balcao`}>
                <button class="button small quiet" type="submit">
                  Comprar no balcão
                </button>
              </PostForm>
              {canOffer && (
                <PostForm visit={visit} action={`${visit.home}/sandbox/oferta`}>
                  {back}
                  <button class="button small quiet" type="submit">
                    Receber uma oferta
                  </button>
                </PostForm>
              )}
            </div>
            {messages.length > 0 && (
              <>
                <h2>Mensagens que você receberia</h2>
                <ul>
                  {messages.map(({ text, sent_at }) => (
                    <li key={sent_at + text}>
                      <span>{shortTime(sent_at)}</span> {whole(text)}
                    </li>
                  ))}
                </ul>
              </>
            )}
            {!canOffer && (
              <p>
                Contas prontas: {showPhone('+5511987650001')}, senha semana-demo-1 (Ana, com compras);{' '}
                {showPhone('+5511987650002')}, por código (Bruno, com uma oferta).
              </p>
            )}
          </div>
        </details>
      </div>
    </aside>
  );
}
