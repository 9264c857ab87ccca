/** A step from the format before to the next one. */
export interface FormatStep {
  /**
   * Adds what is new. Hosts of the version before work on, so nothing that they know may be changed or taken
   * away.
   */
  readonly expand: string;
  /** Takes away what no host needs any more. It is run once all hosts that are open know this format. */
  readonly contract?: string;
}

/** A commit is known by its row in `changes`; the xid of the row tells other hosts when it could be seen. */
const first: FormatStep = {
  expand: `
    CREATE TABLE collections (number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE, fields json NOT NULL, indexes json NOT NULL);
    CREATE TABLE searches (number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE);
    CREATE TABLE texts (number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
    CREATE TABLE changes (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, host uuid NOT NULL,
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(), at timestamptz NOT NULL DEFAULT now(),
      list json NOT NULL);
    CREATE INDEX changes_xid ON changes (xid);
    CREATE TABLE hosts (number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, instance uuid NOT NULL,
      format integer NOT NULL, opened timestamptz NOT NULL DEFAULT now());
    CREATE TABLE blobs (key bytea PRIMARY KEY, size bigint NOT NULL);
    CREATE TABLE blob_chunks (key bytea NOT NULL REFERENCES blobs ON DELETE CASCADE, chunk integer NOT NULL,
      bytes bytea NOT NULL, PRIMARY KEY (key, chunk));
    ALTER TABLE blob_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
    CREATE TEXT SEARCH DICTIONARY porter (TEMPLATE = pg_catalog.snowball, LANGUAGE = porter);`,
};

/** Names that hosts have for themselves; each taking of one gives it a higher number. */
const claims: FormatStep = {
  expand: `
    ALTER TABLE hosts ADD COLUMN label text NOT NULL DEFAULT '';
    CREATE SEQUENCE fences;
    CREATE TABLE claims (name text PRIMARY KEY, host integer NOT NULL,
      number bigint NOT NULL DEFAULT nextval('fences'));
    CREATE INDEX claims_host ON claims (host);`,
};

/**
 * Indexes of words without a list of what is yet to be sorted in: while there is one, the planner of the
 * database reads whole tables instead.
 */
const sortedWords: FormatStep = {
  expand: `
    DO $$ DECLARE one regclass; BEGIN
      FOR one IN SELECT pg_class.oid FROM pg_class JOIN pg_am ON pg_am.oid = relam
        WHERE amname = 'gin' AND relkind = 'i' AND relnamespace = current_schema()::regnamespace
      LOOP
        EXECUTE format('ALTER INDEX %s SET (fastupdate = off)', one);
        PERFORM gin_clean_pending_list(one);
      END LOOP;
    END $$;`,
};

/**
 * The steps in their order: a database of format n has gone through the first n. Steps are added at the end
 * and never changed.
 */
export const formats: readonly FormatStep[] = [first, claims, sortedWords];
