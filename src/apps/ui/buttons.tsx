import type { ComponentChildren } from 'preact';

/** `class`: the look of the button, such as `quiet` or `wide`. */
type ButtonProps = { class?: string | undefined; children: ComponentChildren };
type LinkProps = ButtonProps & { href: string };

const toButtonClass = (variant: string | undefined) => (variant ? `button ${variant}` : 'button');

export const LinkButton = ({ class: variant, href, children }: LinkProps) => (
  <a class={toButtonClass(variant)} href={href}>
    {children}
  </a>
);

/** A secondary link, next to a more important button. */
export const QuietLink = (props: Omit<LinkProps, 'class'>) => <LinkButton class="quiet" {...props} />;
export const WideLink = (props: Omit<LinkProps, 'class'>) => <LinkButton class="wide" {...props} />;
/** A secondary link as wide as its column, in a stack of links. */
export const StackLink = (props: Omit<LinkProps, 'class'>) => <LinkButton class="quiet wide" {...props} />;

/** The button of a form; `class="link"` makes it look like a link. */
export const Submit = ({ class: variant, children }: ButtonProps) => (
  <button class={variant === 'link' ? variant : toButtonClass(variant)} type="submit">
    {children}
  </button>
);
