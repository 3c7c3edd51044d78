import type { ComponentChildren } from 'preact';
import { type Act, ActLinks } from './act.tsx';
import { OfficeLayout, placesAround } from './layout.tsx';
import type { OfficeVisit } from './visit.ts';

/** The page of one thing, under the list it is in, with what can be done about it. */
export const RecordLayout = (props: {
  title: string;
  heading?: string;
  visit: OfficeVisit;
  /** Undefined or false: nothing can be done about it any more. */
  acts?: ReadonlyArray<Act | false> | false | undefined;
  /** After the acts. */
  action?: ComponentChildren;
  children: ComponentChildren;
}) => {
  const { acts, action, ...page } = props;
  const { visit } = props;
  return (
    <OfficeLayout
      {...page}
      crumbs={placesAround(visit.path)}
      actions={
        acts && (
          <>
            <ActLinks visit={visit} acts={acts} />
            {action}
          </>
        )
      }
    />
  );
};
