import type { ComponentChildren } from 'preact';

type ButtonProps = { quiet?: boolean; wide?: boolean; children: ComponentChildren };
type LinkProps = { href: string; children: ComponentChildren };

const buttonClass = ({ quiet, wide }: ButtonProps) =>
  ['button', quiet && 'quiet', wide && 'wide'].filter(Boolean).join(' ');

export const LinkButton = ({ href, ...button }: ButtonProps & { href: string }) => (
  <a class={buttonClass(button)} href={href}>
    {button.children}
  </a>
);

/** A secondary link, next to a more important button. */
export const QuietLink = ({ href, children }: LinkProps) => (
  <LinkButton quiet href={href}>
    {children}
  </LinkButton>
);

/** A secondary link as wide as its column, in a stack of links. */
export const StackLink = ({ href, children }: LinkProps) => (
  <LinkButton quiet wide href={href}>
    {children}
  </LinkButton>
);

export const Submit = (button: ButtonProps) => (
  <button class={buttonClass(button)} type="submit">
    {button.children}
  </button>
);
