import type { ComponentChildren } from 'preact';

/** `class`: the look of the button, such as `quiet` or `wide`. */
type ButtonProps = { class?: string | undefined; children: ComponentChildren };
type LinkProps = ButtonProps & { href: string };

const toButtonClass = (look: string | undefined) => (look ? `button ${look}` : 'button');

export const LinkButton = ({ class: look, href, children }: LinkProps) => (
  <a class={toButtonClass(look)} href={href}>
    {children}
  </a>
);

/** A secondary link, next to a more important button. */
export const QuietLink = (props: Omit<LinkProps, 'class'>) => <LinkButton class="quiet" {...props} />;
export const WideLink = (props: Omit<LinkProps, 'class'>) => <LinkButton class="wide" {...props} />;
/** A secondary link as wide as its column, in a stack of links. */
export const StackLink = (props: Omit<LinkProps, 'class'>) => <LinkButton class="quiet wide" {...props} />;

/** The button of a form; `class="link"` makes it look like a link. */
export const Submit = ({ class: look, children }: ButtonProps) => (
  <button class={look === 'link' ? look : toButtonClass(look)} type="submit">
    {children}
  </button>
);
