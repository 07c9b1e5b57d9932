import { expect, test } from 'vitest';
import { createHosts } from '../../src/postgres/hosts.js';
import { parseServerUrl } from '../../src/postgres/server-url.js';

test('REL-20: splits the address of a database on several hosts as libpq does', () => {
  expect(parseServerUrl('postgres://ann:p@ss@a:5432,[::1]:5433,c/db?sslmode=disable')).toEqual({
    hosts: [
      'postgres://ann:p@ss@a:5432/db?sslmode=disable',
      'postgres://ann:p@ss@[::1]:5433/db?sslmode=disable',
      'postgres://ann:p@ss@c/db?sslmode=disable',
    ],
    needsWritable: true,
    location: 'postgres://ann@a:5432,[::1]:5433,c/db',
  });
  const single = { hosts: ['postgres://a/db'], location: 'postgres://a/db' };
  expect(parseServerUrl('postgres://a/db')).toEqual({ ...single, needsWritable: false });
  expect(parseServerUrl('postgres://a/db?target_session_attrs=primary')).toEqual({ ...single, needsWritable: true });
  expect(parseServerUrl('postgres://a,b/db?target_session_attrs=any').needsWritable).toBe(false);
});

test('REL-20: begins with the host that was used last', () => {
  const hosts = createHosts('postgres://a,b,c/db');
  expect(hosts.present()).toBe('postgres://a/db');
  hosts.use('postgres://b/db');
  expect(hosts.inOrder()).toEqual(['postgres://b/db', 'postgres://c/db', 'postgres://a/db']);
});
