import type { ComponentChildren } from 'preact';
import type { components } from '#client';
import { toMediaPath } from '../server/media.ts';
import { formatLongDate, formatPercent, formatReais, keepAmountsTogether } from '../text/format.ts';
import { Submit } from './buttons.tsx';
import { Check, Pin, Search } from './icons.tsx';

export type Merchant = components['schemas']['Merchant'];
type PostSummary = components['schemas']['PostSummary'];

export function Logo({ merchant, size }: { merchant: Pick<Merchant, 'name' | 'logo_url'>; size: 56 | 96 }) {
  const path = toMediaPath(merchant.logo_url);
  return (
    <span class={`logo logo-${size}`} aria-hidden="true">
      {path ? <img src={path} alt="" width={size} height={size} loading="lazy" /> : merchant.name.charAt(0)}
    </span>
  );
}

export const CashbackBadge = ({ value }: { value: number }) =>
  value > 0 ? <span class="badge">{formatPercent(value)} de cashback</span> : null;

export const formatLocation = ({ city, state }: Pick<Merchant, 'city' | 'state'>) =>
  [city, state].filter(Boolean).join(', ');

/** The whole card is clickable, but a screen reader announces a single link with the merchant's name. */
export function MerchantCard(props: {
  merchant: Omit<Merchant, 'description' | 'website'>;
  level?: 2 | 3;
  /** The origin of the public site, for pages served from another origin. */
  siteUrl?: string;
}) {
  const { merchant, level = 2, siteUrl = '' } = props;
  const location = formatLocation(merchant);
  const Heading = `h${level}` as const;
  return (
    <li class="card merchant">
      <Logo merchant={merchant} size={56} />
      <div>
        <Heading class="card-title">
          <a class="cover" href={`${siteUrl}/lojas/${merchant.slug}`}>
            {merchant.name}
          </a>
        </Heading>
        <p class="muted">{merchant.category.name}</p>
        <p class="merchant-foot">
          {location && (
            <span class="place">
              <Pin />
              {location}
            </span>
          )}
          <CashbackBadge value={merchant.cashback_percent} />
        </p>
      </div>
    </li>
  );
}

export function PostCard({ post, level = 2, wide }: { post: PostSummary; level?: 2 | 3; wide?: boolean }) {
  const coverPath = toMediaPath(post.cover_url);
  const Heading = `h${level}` as const;
  return (
    <li class={wide ? 'card post wide' : 'card post'}>
      {coverPath && (
        <img
          src={coverPath}
          alt=""
          width="1200"
          height="630"
          {...(wide ? { fetchpriority: 'high' as const } : { loading: 'lazy' as const })}
        />
      )}
      <div class="post-text">
        <p class="muted">
          <time dateTime={post.published_at}>{formatLongDate(post.published_at)}</time>
        </p>
        <Heading class="card-title">
          <a class="cover" href={`/blog/${post.slug}`}>
            {post.title}
          </a>
        </Heading>
        <p>{keepAmountsTogether(post.summary)}</p>
      </div>
    </li>
  );
}

export function Section(props: {
  title: string;
  id?: string;
  lead?: string;
  moreLink?: { href: string; text: string };
  tone?: 'deep' | 'soft';
  children: ComponentChildren;
}) {
  const { title, id, lead, moreLink, tone, children } = props;
  return (
    <section class={`section ${tone ?? ''}`} id={id}>
      <div class="wrap">
        <div class="section-head">
          <div>
            <h2>{title}</h2>
            {lead && <p class="lead">{lead}</p>}
          </div>
          {moreLink && (
            <a class="more" href={moreLink.href}>
              {moreLink.text}
            </a>
          )}
        </div>
        {children}
      </div>
    </section>
  );
}

/** A search form. `live` lists the ids of the elements that browser/forms.ts updates while typing. */
export function SearchForm(props: {
  action: string;
  label: string;
  placeholder: string;
  value?: string | undefined;
  live?: string;
  children?: ComponentChildren;
}) {
  const { action, label, placeholder, value, live, children } = props;
  return (
    <form class="search" action={action} method="get" data-live={live}>
      <label class="sr" for="q">
        {label}
      </label>
      <Search />
      <input id="q" name="q" type="search" value={value} placeholder={placeholder} maxLength={200} />
      {children}
      <Submit>Buscar</Submit>
    </form>
  );
}

export const Panel = (props: {
  /** The id of the heading, which labels the section. */
  id: string;
  title: ComponentChildren;
  class?: string;
  /** Other attributes of the section, such as those that scripts read. */
  attributes?: Record<string, string | boolean>;
  children: ComponentChildren;
}) => (
  <section class={props.class ?? 'panel'} aria-labelledby={props.id} {...props.attributes}>
    <h2 class="panel-title" id={props.id}>
      {props.title}
    </h2>
    {props.children}
  </section>
);

/** A list item with a title and an amount. The whole card is clickable if it has a link. */
export function Row(props: {
  title: ComponentChildren;
  href?: string | undefined;
  level?: 2 | 3;
  merchant?: Pick<Merchant, 'name' | 'logo_url'>;
  amount?: string | false;
  isGain?: boolean;
  amountNote?: string;
  children?: ComponentChildren;
}) {
  const { title, href, level = 3, merchant, amount, isGain, amountNote, children } = props;
  const Heading = `h${level}` as const;
  return (
    <li class="card row">
      {merchant && <Logo merchant={merchant} size={56} />}
      <div class="row-text">
        <Heading class="card-title">
          {href ? (
            <a class="cover" href={href}>
              {title}
            </a>
          ) : (
            title
          )}
        </Heading>
        {children}
      </div>
      {amount && (
        <p class="row-amount">
          <span class={isGain ? 'amount plus' : 'amount'}>{amount}</span>
          {amountNote && <small>{amountNote}</small>}
        </p>
      )}
    </li>
  );
}

export type StatusText = { text: string; tone: string };
export const Status = ({ text, tone }: StatusText) => <span class={`status ${tone}`}>{text}</span>;

export const StepIcon = ({ children }: { children: ComponentChildren }) => (
  <span class="step-icon">{children}</span>
);

/** A key figure of the home page of an app, with its name. */
export const KeyFigure = (props: {
  name: ComponentChildren;
  figure: string;
  children?: ComponentChildren;
}) => (
  <>
    <p class="glance-name">{props.name}</p>
    <p class="glance-figure">{props.figure}</p>
    {props.children}
  </>
);

/** How much of a credit limit is used, as a bar and in figures. */
export const LimitUse = (props: { limit: number; used: number; children?: ComponentChildren }) => (
  <>
    <progress
      max={Math.max(props.limit, 1)}
      value={Math.min(props.used, props.limit)}
      aria-label="Limite usado"
    />
    <p class="glance-foot">
      {formatReais(props.used)} em uso de {formatReais(props.limit)}
      {props.children}
    </p>
  </>
);

/** A part of a page that is folded until the reader opens it. */
export const Fold = (props: {
  title: string;
  note: string;
  icon?: ComponentChildren;
  class?: string;
  isOpen?: boolean;
  children: ComponentChildren;
}) => (
  <details class={`choice fold ${props.class ?? ''}`.trim()} open={props.isOpen}>
    <summary>
      {props.icon}
      <span>
        <b>{props.title}</b> <small>{props.note}</small>
      </span>
    </summary>
    {props.children}
  </details>
);

/** A green panel that confirms a completed action, such as a payment. */
export function DonePanel(props: {
  title: string;
  level?: 1 | 2;
  class?: string;
  lead: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, level = 2, class: otherClass, lead, children } = props;
  const Heading = `h${level}` as const;
  return (
    <div class={otherClass ? `panel pix-done ${otherClass}` : 'panel pix-done'}>
      <span class="done-mark">
        <Check />
      </span>
      <Heading>{title}</Heading>
      <p class="lead">{lead}</p>
      {children}
    </div>
  );
}

/** A line of a `dl`: a name and its value. */
export const Line = (props: { name: ComponentChildren; value: ComponentChildren; isTotal?: boolean }) => (
  <div class={props.isTotal ? 'total' : undefined}>
    <dt>{props.name}</dt>
    <dd>{props.value}</dd>
  </div>
);

export const EmptyState = (props: {
  icon?: ComponentChildren;
  title: string;
  children?: ComponentChildren;
}) => (
  <div class="empty">
    {props.icon && <StepIcon>{props.icon}</StepIcon>}
    <p>
      <b>{props.title}</b>
    </p>
    {props.children}
  </div>
);

export type Link = { href: string; text: string };

type LinkItemsProps = { links: readonly Link[]; isCurrent?: (href: string) => boolean };

export const LinkItems = ({ links, isCurrent }: LinkItemsProps) => (
  <>
    {links.map(({ href, text }) => (
      <li key={href}>
        <a href={href} aria-current={isCurrent?.(href) ? 'page' : undefined}>
          {text}
        </a>
      </li>
    ))}
  </>
);

type Chip = { href: string; text: string; count?: number; isCurrent?: boolean };

/** Links in a row, such as filters. `count`: the number of results of a filter. */
export const Chips = ({ chips }: { chips: Chip[] }) => (
  <ul class="chips">
    {chips.map(({ href, text, count, isCurrent }) => (
      <li key={text}>
        <a class="chip" href={href} aria-current={isCurrent ? 'true' : undefined}>
          {text}
          {count !== undefined && ' '}
          {count !== undefined && <span class="chip-count">{count}</span>}
        </a>
      </li>
    ))}
  </ul>
);

export const Breadcrumbs = ({ crumbs, ...attributes }: { crumbs: Link[]; class?: string }) => (
  <nav aria-label="Você está em" {...attributes}>
    <ol class="crumbs">
      <LinkItems links={crumbs} />
    </ol>
  </nav>
);

export function PageHead(props: {
  title: string;
  lead?: string | undefined;
  crumbs?: Link[] | undefined;
  /** A picture beside the title. The children are then rendered next to the picture, below the title. */
  media?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { title, lead, crumbs, media, children } = props;
  return (
    <div class="page-head">
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      {media ? (
        <div class="merchant-head">
          {media}
          <div>
            <h1>{title}</h1>
            {children}
          </div>
        </div>
      ) : (
        <h1>{title}</h1>
      )}
      {lead && <p class="lead">{lead}</p>}
      {!media && children}
    </div>
  );
}

/**
 * Links to the previous and the next page. Renders nothing if there is only one page. `page` may be beyond the last page, which is then the
 * previous one.
 */
export function Pagination(props: { page: number; pages: number; buildHref: (page: number) => string }) {
  const { page, pages, buildHref } = props;
  if (pages <= 1) return null;
  return (
    <PageLinks
      class="pagination"
      linkClass="button quiet"
      previousHref={page > 1 && buildHref(Math.min(page - 1, pages))}
      nextHref={page < pages && buildHref(page + 1)}
    >
      <span class="muted">{page <= pages && `Página ${page} de ${pages}`}</span>
    </PageLinks>
  );
}

/** Links to the previous and the next page. An empty element takes the place of a missing link. */
export const PageLinks = (props: {
  class: string;
  linkClass?: string;
  previousHref: string | false;
  nextHref: string | false;
  children: ComponentChildren;
}) => (
  <nav class={props.class} aria-label="Páginas">
    {props.previousHref ? (
      <a class={props.linkClass} href={props.previousHref} rel="prev">
        Anterior
      </a>
    ) : (
      <span />
    )}
    {props.children}
    {props.nextHref ? (
      <a class={props.linkClass} href={props.nextHref} rel="next">
        Próxima
      </a>
    ) : (
      <span />
    )}
  </nav>
);

/** A question that can be opened. Of the questions without an id, the browser keeps only one open. */
export function Question({ id, question, answer }: { id?: string; question: string; answer: string }) {
  return (
    <details class="question" id={id} name={id ? undefined : 'perguntas'}>
      <summary>{question}</summary>
      <p>{keepAmountsTogether(answer)}</p>
    </details>
  );
}
