import { expect, test } from 'vitest';
import { isNetworkType, mountOf, parseMountCommand, parseMountinfo, shareOf } from '../dist/sqlite/refuse-network.js';

const MOUNTINFO = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /home rw - btrfs /dev/sdb rw
41 40 0:44 / /home/ann/my\\040nas rw shared:7 master:3 - nfs4 nas:/ann rw,vers=4.2
42 22 0:45 / /mnt/sshfs rw - fuse.sshfs ann@nas: rw
43 22 0:46 / /mnt/c rw - 9p drvfs rw
`;

test('REL-6: finds the file system of a folder on Linux', () => {
  const mounts = parseMountinfo(MOUNTINFO);
  const typeOf = (path: string) => mountOf(path, mounts)?.type;
  expect(typeOf('/home/ann/my nas/recollect')).toBe('nfs4');
  expect(typeOf('/home/ann/my nas')).toBe('nfs4');
  expect(typeOf('/home/ann/my nas too')).toBe('btrfs');
  expect(typeOf('/var/lib/recollect')).toBe('ext4');
  expect(['nfs4', 'fuse.sshfs', '9p', 'cifs'].every(isNetworkType)).toBe(true);
  expect(['ext4', 'btrfs', 'fuseblk', 'fuse', 'overlay', 'tmpfs', 'apfs', 'zfs'].some(isNetworkType)).toBe(false);
  expect(mountOf('/', [])).toBe(null);
});

test('REL-6: a later mount hides an earlier one at the same folder', () => {
  const mounts = parseMountinfo(`${MOUNTINFO}44 40 0:47 / /home rw - cifs //nas/home rw\n`);
  expect(mountOf('/home/ann', mounts)?.type).toBe('cifs');
});

test('REL-6: finds the file system of a folder on macOS and the share of a Windows path', () => {
  const mounts = parseMountCommand(
    '/dev/disk3s1s1 on / (apfs, sealed, local)\n//ann@nas/home on /Volumes/my home (smbfs, nodev, nosuid)\n',
  );
  expect(mountOf('/Volumes/my home/recollect', mounts)?.type).toBe('smbfs');
  expect(mountOf('/Users/ann', mounts)?.type).toBe('apfs');
  expect(shareOf('\\\\nas\\home\\recollect')).toBe('nas\\home');
  expect(shareOf('\\\\?\\UNC\\nas\\home\\recollect')).toBe('nas\\home');
  expect(['C:\\Users\\ann', '\\\\?\\C:\\Users', '\\\\.\\C:\\Users', '/home/ann'].map(shareOf)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
