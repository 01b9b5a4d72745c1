-- Makes the role by which the site works, or brings its rights up to date: it reads and writes rows, and owns nothing. So
-- it can't drop a table or a trigger, empty a table at once, or switch triggers off, whoever gets hold of it.
-- Run it by psql in the site's database as the owner of its tables, with SITE_ROLE and SITE_PASSWORD set.
\set ON_ERROR_STOP on
\getenv role SITE_ROLE
\getenv password SITE_PASSWORD
SELECT format('CREATE ROLE %I LOGIN', :'role') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') \gexec
-- Only a superuser may write NOSUPERUSER, so it is said only to a role that has more than it needs.
SELECT format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', rolname) FROM pg_roles
    WHERE rolname = :'role' AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls) \gexec
ALTER ROLE :"role" PASSWORD :'password';
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"role";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :"role";
-- What its owner's later migrations add.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"role";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO :"role";
