import type { ComponentChildren } from 'preact';

type Look = { quiet?: boolean; wide?: boolean; children: ComponentChildren };

const classOf = ({ quiet, wide }: Look) =>
  ['button', quiet && 'quiet', wide && 'wide'].filter(Boolean).join(' ');

export const LinkButton = ({ to, ...look }: Look & { to: string }) => (
  <a class={classOf(look)} href={to}>
    {look.children}
  </a>
);

/** A link beside a button that matters more. */
export const QuietLink = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <LinkButton quiet to={to}>
    {children}
  </LinkButton>
);

/** One of the ways on below a page or a panel, as wide as its column. */
export const StackLink = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <LinkButton quiet wide to={to}>
    {children}
  </LinkButton>
);

/** The button that sends its form. */
export const Submit = (look: Look) => (
  <button class={classOf(look)} type="submit">
    {look.children}
  </button>
);
