import type { ComponentChildren } from 'preact';
import { type Act, ActLinks } from './act.tsx';
import { findParentItems, OfficeLayout } from './layout.tsx';
import type { OfficeVisit } from './visit.ts';

/** The page of one record: breadcrumbs to its list, and links to its acts. */
export const RecordLayout = (props: {
  title: string;
  heading?: string;
  visit: OfficeVisit;
  /** Undefined or false if the state of the record allows no act. */
  acts?: ReadonlyArray<Act | false> | false | undefined;
  /** Rendered after the acts. */
  extraAction?: ComponentChildren;
  children: ComponentChildren;
}) => {
  const { acts, extraAction, ...layoutProps } = props;
  const { visit } = props;
  return (
    <OfficeLayout
      {...layoutProps}
      breadcrumbs={findParentItems(visit.path)}
      actions={
        acts && (
          <>
            <ActLinks visit={visit} acts={acts} />
            {extraAction}
          </>
        )
      }
    />
  );
};
