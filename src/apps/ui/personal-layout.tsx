import type { ComponentChildren } from 'preact';
import { assets } from '../server/assets.ts';
import { type SandboxBarData, useVisit } from '../server/visit.ts';
import { formatShortTime, keepAmountsTogether } from '../text/format.ts';
import { type Link, LinkItems, PageHead } from './components.tsx';
import { CreditorLine } from './costs.tsx';
import { ButtonForm, FlashMessages, SubmissionContext } from './forms.tsx';
import { Brand } from './icons.tsx';
import { ThemeHead, ThemeSwitch } from './theme.tsx';

const FOOTER_LINKS = [
  { href: '/contato', text: 'Falar com a gente' },
  { href: '/perguntas', text: 'Perguntas' },
  { href: '/lojas', text: 'Lojas' },
  { href: '/termos', text: 'Termos' },
  { href: '/privacidade', text: 'Privacidade' },
];

/** What the frame of a page needs from its app. The paths of its manifest, icons and service worker start with `basePath`. */
export type AppHead = {
  home: string;
  basePath: string;
  styles: string[];
  script: string;
  /** The prefix of the pages that the service worker serves while the device is offline. */
  workerScope: string;
};

/** The head of the wallet, and of the payment pages that lead to it. */
export const WALLET_HEAD: AppHead = {
  home: '/carteira',
  basePath: '',
  styles: [assets.walletCss],
  script: assets.walletJs,
  workerScope: '/carteira',
};

export type PersonalPageProps = {
  /** Browsers store it in the history, so it must not name a person, a merchant or an amount. */
  title: string;
  heading?: string;
  lead?: string | undefined;
  crumbs?: Link[];
  /** Explains a step below the heading, instead of lead and crumbs. */
  explanation?: ComponentChildren;
  /** Replaces heading, explanation, lead and crumbs. */
  head?: ComponentChildren;
  /** CSS classes of the content element; they set its width. */
  wrapperClass?: string;
  wrapperAttributes?: Record<string, string | number | boolean>;
  /** If scripts are off, the page reloads after this many seconds, or redirects to `redirectTo`. */
  refreshSeconds?: number | undefined;
  redirectTo?: string | undefined;
  children: ComponentChildren;
};

/** A complete page for one person: the frame of its app, its heading, the result of the last form, and its content. */
export function PersonalPage(
  props: PersonalPageProps & {
    brand: { href: string; label: string; text?: string };
    app?: AppHead;
    nav?: ComponentChildren;
    banner?: ComponentChildren;
    /** The id of a charge that the sandbox bar can pay. */
    pixId?: string | undefined;
    /** The path of an offer that the sandbox bar can open as the customer. */
    offerPath?: string | undefined;
    /** Shown in previews of a link to the page. */
    description?: string | undefined;
  },
) {
  const { title, app = WALLET_HEAD, heading = title, explanation, lead, crumbs, wrapperClass } = props;
  const defaultHead = explanation ? (
    <>
      <h1>{heading}</h1>
      <p class="muted">{explanation}</p>
    </>
  ) : (
    <PageHead title={heading} lead={lead} crumbs={crumbs} />
  );
  const { head = defaultHead } = props;
  const { user, sandboxBar, flash } = useVisit();
  return (
    <html lang="pt-BR">
      <PersonalHead {...props} app={app} title={flash?.errors ? `Confira: ${title}` : title} />
      <body
        class={user ? 'wallet' : 'wallet signed-out'}
        data-home={app.home}
        data-worker={`${app.basePath}/worker.js`}
        data-scope={app.workerScope}
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
        {sandboxBar && <SandboxBar {...props} bar={sandboxBar} />}
        <main id="conteudo" tabIndex={-1}>
          {props.banner}
          <div class={wrapperClass ? `wrap ${wrapperClass}` : 'wrap'} {...props.wrapperAttributes}>
            {head}
            <FlashMessages flash={flash} />
            <SubmissionContext.Provider value={flash}>{props.children}</SubmissionContext.Provider>
          </div>
        </main>
        <footer class="wallet-foot">
          <div class="wrap">
            <ul>
              <LinkItems links={FOOTER_LINKS} />
            </ul>
            <ThemeSwitch />
            <CreditorLine />
          </div>
        </footer>
      </body>
    </html>
  );
}

export function PersonalHead(
  props: Pick<PersonalPageProps, 'title' | 'refreshSeconds' | 'redirectTo'> & {
    app: AppHead;
    description?: string | undefined;
  },
) {
  const { title, app, refreshSeconds, redirectTo } = props;
  const { description = 'A sua carteira na Semana: compras, parcelas, PIX e cashback.' } = props;
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
            content={redirectTo ? `${refreshSeconds};url=${redirectTo}` : String(refreshSeconds)}
          />
        </noscript>
      )}
      <link rel="manifest" href={`${app.basePath}/manifest.webmanifest`} />
      <link rel="icon" href={`${app.basePath}/icon.svg`} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={`${app.basePath}/icon-180.png`} />
      <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
      <link rel="stylesheet" href={assets.siteCss} />
      {app.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      <ThemeHead />
      <script type="module" src={app.script} />
    </head>
  );
}

export type Tab<Name extends string> = { tab: Name; href: string; text: string; icon: ComponentChildren };

/** On phones the tabs are at the bottom of the screen. */
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

/** Buttons that move the clock of the sandbox by an ISO 8601 duration; `0` resets it. */
const CLOCK_JUMPS = [
  { duration: 'P1D', text: '+ 1 dia', isReset: false },
  { duration: 'P7D', text: '+ 7 dias', isReset: false },
  { duration: '0', text: 'Voltar para hoje', isReset: true },
];

type ToolFormProps = { name: string; text: string; variant?: string; values?: Record<string, string> };
/** A button of the sandbox bar (server/sandbox-forms.ts), which leads back to this page. */
const ToolForm = (props: ToolFormProps) => {
  const { home, path } = useVisit();
  const { name, text, variant = 'small quiet', values } = props;
  return (
    <ButtonForm
      action={`${home}/sandbox/${name}`}
      text={text}
      variant={variant}
      values={{ volta: path, ...values }}
    />
  );
};

function SandboxBar(props: {
  bar: SandboxBarData;
  pixId?: string | undefined;
  offerPath?: string | undefined;
}) {
  const { bar, pixId, offerPath } = props;
  const { now, isClockMoved, messages, code, canReceiveOffer, canBuy, canFillSignUpForm, accountsText } = bar;
  return (
    <aside class="sandbox" aria-label="Ferramentas do sandbox">
      <div class="wrap">
        {code && (
          <p class="sandbox-code">
            SMS que você receberia: o código é <b>{code}</b>
          </p>
        )}
        {canFillSignUpForm && <ToolForm name="pessoa" text="Preencher por mim" variant="small" />}
        {pixId && (
          <div class="while-pending">
            <ToolForm name="pagar" text="Pagar este PIX" variant="small" values={{ pix: pixId }} />
          </div>
        )}
        {offerPath && (
          <a class="button small while-pending" href={offerPath} target="carteira">
            Abrir como cliente
          </a>
        )}
        <details>
          <summary>
            Sandbox<span class="sandbox-more">: dinheiro de mentira</span>
          </summary>
          <div class="sandbox-tools">
            <p>
              Data do sandbox: <b>{formatShortTime(now)}</b>
              {isClockMoved && ' (relógio alterado)'}
            </p>
            <div class="actions">
              {CLOCK_JUMPS.filter(({ isReset }) => isClockMoved || !isReset).map(({ duration, text }) => (
                <ToolForm key={duration} name="relogio" text={text} values={{ avancar: duration }} />
              ))}
              {canBuy && <ToolForm name="balcao" text="Comprar no balcão" />}
              {canReceiveOffer && <ToolForm name="oferta" text="Receber uma oferta" />}
            </div>
            {messages.length > 0 && (
              <>
                <h2>Mensagens que você receberia</h2>
                <ul>
                  {messages.map(({ text, sent_at }) => (
                    <li key={sent_at + text}>
                      <span>{formatShortTime(sent_at)}</span> {keepAmountsTogether(text)}
                    </li>
                  ))}
                </ul>
              </>
            )}
            <p>
              <a href="/carteira/sandbox/mensagens">Textos de todas as mensagens</a>
            </p>
            {accountsText && <p>{accountsText}</p>}
          </div>
        </details>
      </div>
    </aside>
  );
}
