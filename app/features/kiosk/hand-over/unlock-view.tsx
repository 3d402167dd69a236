import { handOverMessages as messages } from "#app/features/kiosk/messages.ts";

/** Where the owner takes back a phone that was handed over. */
export function UnlockView({ error }: { error: string | undefined }) {
  return (
    <main className="page kiosk" data-theme="ink">
      <div className="done closed">
        <h1>{messages.unlock}</h1>
        <form className="form" method="post" noValidate>
          <div className="field">
            <label htmlFor="secret">{messages.secretLabel}</label>
            {/* Text, drawn as dots: a browser would fill in the owner's stored password for whoever holds the phone. */}
            <input
              id="secret"
              className="dots"
              name="secret"
              type="text"
              autoComplete="off"
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              autoFocus
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? "secret-error" : undefined}
            />
            {error && (
              <p className="error" id="secret-error" role="alert">
                {error}
              </p>
            )}
          </div>
          <button className="button main">{messages.unlock}</button>
        </form>
        <p className="more">
          <a href="/hand-over">Back to the form</a>
        </p>
      </div>
    </main>
  );
}
