import type { ComponentChildren } from 'preact';
import { assets } from '../server/assets.ts';
import type { Bar, Frame } from '../server/visit.ts';
import { shortTime, whole } from '../text/format.ts';
import { CreditorLine } from './creditor.tsx';
import { Brand } from './icons.tsx';
import { type Link, PageHead } from './parts.tsx';
import { PostForm, Said } from './personal-parts.tsx';
import { ThemeHead, ThemeSwitch } from './theme.tsx';

const LINKS = [
  { href: '/contato', text: 'Falar com a gente' },
  { href: '/perguntas', text: 'Perguntas' },
  { href: '/lojas', text: 'Lojas' },
  { href: '/termos', text: 'Termos' },
  { href: '/privacidade', text: 'Privacidade' },
];

/** What the head of a face's pages names: its files begin with `base`. */
export type AppHead = { home: string; base: string; styles: string[]; script: string };

/** Of the wallet, and of the pages that lead to it. */
export const WALLET_APP: AppHead = {
  home: '/carteira',
  base: '',
  styles: [assets.walletCss],
  script: assets.wallet,
};

/** What a page for one person says of itself, whichever face it is of. */
export type PersonalPageProps = {
  /** It stays in histories: it names no person, no merchant and no amount. */
  title: string;
  visit: Frame;
  /** The heading, unless it is the title, and what is below and above it. */
  heading?: string;
  lead?: string | undefined;
  crumbs?: Link[];
  /** Instead of heading, lead and crumbs. */
  head?: ComponentChildren;
  /** Classes of the element that holds the page: how wide it is. */
  wrap?: string;
  /** Further attributes of that element. */
  held?: Record<string, string | number | boolean>;
  /** Without scripts the page reloads after this many seconds, or leads on to `leadTo`. */
  refreshSeconds?: number | undefined;
  leadTo?: string | undefined;
  children: ComponentChildren;
};

/** A whole page for one person: the frame of its face, its head, what the last form said, and its content. */
export function PersonalPage(
  props: PersonalPageProps & {
    /** Where the brand leads, and its name there. */
    brand: { href: string; label: string; text?: string };
    app?: AppHead;
    /** Navigation of the face. */
    nav?: ComponentChildren;
    /** Above every page of the face. */
    banner?: ComponentChildren;
    /** The id of a charge that the sandbox bar can pay. */
    pixId?: string | undefined;
    /** The address of an offer that the sandbox bar opens as its customer would. */
    offerPath?: string | undefined;
    /** Of the page, for previews of a link to it. */
    description?: string | undefined;
  },
) {
  const { title, visit, app = WALLET_APP, heading = title, lead, crumbs, wrap } = props;
  const { head = <PageHead title={heading} lead={lead} crumbs={crumbs} /> } = props;
  const { who, bar, flash } = visit;
  return (
    <html lang="pt-BR">
      <PersonalHead {...props} app={app} title={flash?.faults ? `Confira: ${title}` : title} />
      <body
        class={who ? 'wallet' : 'wallet signed-out'}
        data-home={app.home}
        data-worker={`${app.base}/worker.js`}
      >
        <a class="skip" href="#conteudo">
          Ir para o conteúdo
        </a>
        <header class="top">
          <div class="wrap top-row">
            <Brand {...props.brand} />
            {props.nav}
            <a class="button small quiet" href="/perguntas">
              Ajuda
            </a>
          </div>
        </header>
        {bar && <SandboxBar {...props} bar={bar} />}
        <main id="conteudo" tabIndex={-1}>
          {props.banner}
          <div class={wrap ? `wrap ${wrap}` : 'wrap'} {...props.held}>
            {head}
            <Said flash={flash} />
            {props.children}
          </div>
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
  app,
  refreshSeconds,
  leadTo,
  description = 'A sua carteira na Semana: compras, parcelas, PIX e cashback.',
}: {
  title: string;
  app: AppHead;
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
      <link rel="manifest" href={`${app.base}/manifest.webmanifest`} />
      <link rel="icon" href={`${app.base}/icon.svg`} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={`${app.base}/icon-180.png`} />
      <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
      <link rel="stylesheet" href={assets.css} />
      {app.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      <ThemeHead />
      <script type="module" src={app.script} />
    </head>
  );
}

export type Tab<Name extends string> = { tab: Name; href: string; text: string; icon: ComponentChildren };

/** The navigation of a face on a phone. */
export const Tabs = (props: { label: string; tabs: Array<Tab<string>>; current: string | undefined }) => (
  <nav class="tabs" aria-label={props.label}>
    <ul>
      {props.tabs.map(({ tab, href, text, icon }) => (
        <li key={tab}>
          <a href={href} aria-current={tab === props.current ? 'page' : undefined}>
            {icon}
            <span>{text}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** By which the clock of the sandbox can be moved. */
const JUMPS = [
  { by: 'P1D', text: '+ 1 dia', isBack: false },
  { by: 'P7D', text: '+ 7 dias', isBack: false },
  { by: '0', text: 'Voltar para hoje', isBack: true },
];

/** Sandbox tools: pay a charge, receive an offer, move the clock. */
function SandboxBar(props: {
  bar: Bar;
  visit: Frame;
  pixId?: string | undefined;
  offerPath?: string | undefined;
}) {
  const { bar, visit, pixId, offerPath } = props;
  const { now, isMoved, messages, code, canOffer, canBuy, hasTill, canFillIn, accounts } = bar;
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
          <PostForm visit={visit} action={`${visit.home}/sandbox/pagar`} class="meanwhile">
            {back}
            <input type="hidden" name="pix" value={pixId} />
            <button type="submit" class="button small">
              Pagar este PIX
            </button>
          </PostForm>
        )}
        {offerPath && (
          <a class="button small meanwhile" href={offerPath} target="carteira">
            Abrir como cliente
          </a>
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
                {JUMPS.filter(({ isBack }) => isMoved || !isBack).map(({ by, text }) => (
                  <button key={by} class="button small quiet" type="submit" name="avancar" value={by}>
                    {text}
                  </button>
                ))}
              </PostForm>
              {canBuy && (
                <PostForm visit={visit} action={`${visit.home}/sandbox/balcao`}>
                  <button class="button small quiet" type="submit">
                    Comprar no balcão
                  </button>
                </PostForm>
              )}
              {hasTill && (
                <form action="/lado-a-lado" method="post" target="_top">
                  <button class="button small quiet" type="submit">
                    Balcão e carteira lado a lado
                  </button>
                </form>
              )}
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
            <p>
              <a href="/carteira/sandbox/mensagens">Textos de todas as mensagens</a>
            </p>
            {accounts && <p>{accounts}</p>}
          </div>
        </details>
      </div>
    </aside>
  );
}
