/* Descriptors from one process to another, through a socket: for tests of what processes share. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A process that cannot ends with this status. */
enum { NO_DESCRIPTOR = 3 };

static inline void send_descriptor(int to, int fd)
{
    char byte = 'd';
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = { 0 };
    struct iovec io = { &byte, 1 };
    struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    if (sendmsg(to, &m, 0) != 1) exit(NO_DESCRIPTOR);
}

static inline int receive_descriptor(int from)
{
    char byte;
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = { 0 };
    struct iovec io = { &byte, 1 };
    struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    int fd;
    if (recvmsg(from, &m, 0) != 1 || !CMSG_FIRSTHDR(&m)) exit(NO_DESCRIPTOR);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}
#endif
