import type { ReactNode } from "react";

type OwnerHeaderProps = {
  name: string;
  work: string;
  title: string;
  /** Whether a script moves the focus here. */
  isFocusable?: boolean;
  /** The picture. */
  children: ReactNode;
};

/** Whose form it is. */
export function OwnerHeader({ name, work, title, isFocusable = false, children }: OwnerHeaderProps) {
  return (
    <header className="to">
      {children}
      <div>
        <h1 tabIndex={isFocusable ? -1 : undefined}>{title}</h1>
        <p>
          with <bdi>{name}</bdi>
        </p>
        {work && (
          <p>
            <bdi>{work}</bdi>
          </p>
        )}
      </div>
    </header>
  );
}
