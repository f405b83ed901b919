/* The types of OpenGL that the CUDA headers use, for machines without its headers. */
#ifndef DOPPEL_STUB_GL_H
#define DOPPEL_STUB_GL_H
typedef unsigned int GLenum;
typedef unsigned int GLuint;
#endif
