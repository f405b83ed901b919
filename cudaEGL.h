/*
 * The CUDA driver API for EGL as Doppel provides it.
 * Written by doppel-header from the declarations in src/abi. Do not edit.
 */

#if !defined(DOPPEL_CUDA_EGL_H) && !defined(CUDAEGL_H)
#define DOPPEL_CUDA_EGL_H
#define CUDAEGL_H

#include "cuda.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a frame is arrays or pitched memory. */
typedef enum CUeglFrameType_enum {
    CU_EGL_FRAME_TYPE_ARRAY = 0,
    CU_EGL_FRAME_TYPE_PITCH = 1
} CUeglFrameType;

/** Where frames of an EGL stream lie. */
typedef enum CUeglResourceLocationFlags_enum {
    CU_EGL_RESOURCE_LOCATION_SYSMEM = 0x00,
    CU_EGL_RESOURCE_LOCATION_VIDMEM = 0x01
} CUeglResourceLocationFlags;

/** Colour formats of EGL frames. */
typedef enum CUeglColorFormat_enum {
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR = 0x00,
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR = 0x01,
    CU_EGL_COLOR_FORMAT_YUV422_PLANAR = 0x02,
    CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR = 0x03,
    CU_EGL_COLOR_FORMAT_RGB = 0x04,
    CU_EGL_COLOR_FORMAT_BGR = 0x05,
    CU_EGL_COLOR_FORMAT_ARGB = 0x06,
    CU_EGL_COLOR_FORMAT_RGBA = 0x07,
    CU_EGL_COLOR_FORMAT_L = 0x08,
    CU_EGL_COLOR_FORMAT_R = 0x09,
    CU_EGL_COLOR_FORMAT_YUV444_PLANAR = 0x0A,
    CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR = 0x0B,
    CU_EGL_COLOR_FORMAT_YUYV_422 = 0x0C,
    CU_EGL_COLOR_FORMAT_UYVY_422 = 0x0D,
    CU_EGL_COLOR_FORMAT_ABGR = 0x0E,
    CU_EGL_COLOR_FORMAT_BGRA = 0x0F,
    CU_EGL_COLOR_FORMAT_A = 0x10,
    CU_EGL_COLOR_FORMAT_RG = 0x11,
    CU_EGL_COLOR_FORMAT_AYUV = 0x12,
    CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR = 0x13,
    CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR = 0x14,
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR = 0x15,
    CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR = 0x16,
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR = 0x17,
    CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR = 0x18,
    CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR = 0x19,
    CU_EGL_COLOR_FORMAT_VYUY_ER = 0x1A,
    CU_EGL_COLOR_FORMAT_UYVY_ER = 0x1B,
    CU_EGL_COLOR_FORMAT_YUYV_ER = 0x1C,
    CU_EGL_COLOR_FORMAT_YVYU_ER = 0x1D,
    CU_EGL_COLOR_FORMAT_YUV_ER = 0x1E,
    CU_EGL_COLOR_FORMAT_YUVA_ER = 0x1F,
    CU_EGL_COLOR_FORMAT_AYUV_ER = 0x20,
    CU_EGL_COLOR_FORMAT_YUV444_PLANAR_ER = 0x21,
    CU_EGL_COLOR_FORMAT_YUV422_PLANAR_ER = 0x22,
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR_ER = 0x23,
    CU_EGL_COLOR_FORMAT_YUV444_SEMIPLANAR_ER = 0x24,
    CU_EGL_COLOR_FORMAT_YUV422_SEMIPLANAR_ER = 0x25,
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_ER = 0x26,
    CU_EGL_COLOR_FORMAT_YVU444_PLANAR_ER = 0x27,
    CU_EGL_COLOR_FORMAT_YVU422_PLANAR_ER = 0x28,
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR_ER = 0x29,
    CU_EGL_COLOR_FORMAT_YVU444_SEMIPLANAR_ER = 0x2A,
    CU_EGL_COLOR_FORMAT_YVU422_SEMIPLANAR_ER = 0x2B,
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_ER = 0x2C,
    CU_EGL_COLOR_FORMAT_BAYER_RGGB = 0x2D,
    CU_EGL_COLOR_FORMAT_BAYER_BGGR = 0x2E,
    CU_EGL_COLOR_FORMAT_BAYER_GRBG = 0x2F,
    CU_EGL_COLOR_FORMAT_BAYER_GBRG = 0x30,
    CU_EGL_COLOR_FORMAT_BAYER10_RGGB = 0x31,
    CU_EGL_COLOR_FORMAT_BAYER10_BGGR = 0x32,
    CU_EGL_COLOR_FORMAT_BAYER10_GRBG = 0x33,
    CU_EGL_COLOR_FORMAT_BAYER10_GBRG = 0x34,
    CU_EGL_COLOR_FORMAT_BAYER12_RGGB = 0x35,
    CU_EGL_COLOR_FORMAT_BAYER12_BGGR = 0x36,
    CU_EGL_COLOR_FORMAT_BAYER12_GRBG = 0x37,
    CU_EGL_COLOR_FORMAT_BAYER12_GBRG = 0x38,
    CU_EGL_COLOR_FORMAT_BAYER14_RGGB = 0x39,
    CU_EGL_COLOR_FORMAT_BAYER14_BGGR = 0x3A,
    CU_EGL_COLOR_FORMAT_BAYER14_GRBG = 0x3B,
    CU_EGL_COLOR_FORMAT_BAYER14_GBRG = 0x3C,
    CU_EGL_COLOR_FORMAT_BAYER20_RGGB = 0x3D,
    CU_EGL_COLOR_FORMAT_BAYER20_BGGR = 0x3E,
    CU_EGL_COLOR_FORMAT_BAYER20_GRBG = 0x3F,
    CU_EGL_COLOR_FORMAT_BAYER20_GBRG = 0x40,
    CU_EGL_COLOR_FORMAT_YVU444_PLANAR = 0x41,
    CU_EGL_COLOR_FORMAT_YVU422_PLANAR = 0x42,
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR = 0x43,
    CU_EGL_COLOR_FORMAT_BAYER_ISP_RGGB = 0x44,
    CU_EGL_COLOR_FORMAT_BAYER_ISP_BGGR = 0x45,
    CU_EGL_COLOR_FORMAT_BAYER_ISP_GRBG = 0x46,
    CU_EGL_COLOR_FORMAT_BAYER_ISP_GBRG = 0x47,
    CU_EGL_COLOR_FORMAT_BAYER_BCCR = 0x48,
    CU_EGL_COLOR_FORMAT_BAYER_RCCB = 0x49,
    CU_EGL_COLOR_FORMAT_BAYER_CRBC = 0x4A,
    CU_EGL_COLOR_FORMAT_BAYER_CBRC = 0x4B,
    CU_EGL_COLOR_FORMAT_BAYER10_CCCC = 0x4C,
    CU_EGL_COLOR_FORMAT_BAYER12_BCCR = 0x4D,
    CU_EGL_COLOR_FORMAT_BAYER12_RCCB = 0x4E,
    CU_EGL_COLOR_FORMAT_BAYER12_CRBC = 0x4F,
    CU_EGL_COLOR_FORMAT_BAYER12_CBRC = 0x50,
    CU_EGL_COLOR_FORMAT_BAYER12_CCCC = 0x51,
    CU_EGL_COLOR_FORMAT_Y = 0x52,
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_2020 = 0x53,
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_2020 = 0x54,
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR_2020 = 0x55,
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR_2020 = 0x56,
    CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR_709 = 0x57,
    CU_EGL_COLOR_FORMAT_YVU420_SEMIPLANAR_709 = 0x58,
    CU_EGL_COLOR_FORMAT_YUV420_PLANAR_709 = 0x59,
    CU_EGL_COLOR_FORMAT_YVU420_PLANAR_709 = 0x5A,
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709 = 0x5B,
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_2020 = 0x5C,
    CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_2020 = 0x5D,
    CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR = 0x5E,
    CU_EGL_COLOR_FORMAT_Y10V10U10_422_SEMIPLANAR_709 = 0x5F,
    CU_EGL_COLOR_FORMAT_Y_ER = 0x60,
    CU_EGL_COLOR_FORMAT_Y_709_ER = 0x61,
    CU_EGL_COLOR_FORMAT_Y10_ER = 0x62,
    CU_EGL_COLOR_FORMAT_Y10_709_ER = 0x63,
    CU_EGL_COLOR_FORMAT_Y12_ER = 0x64,
    CU_EGL_COLOR_FORMAT_Y12_709_ER = 0x65,
    CU_EGL_COLOR_FORMAT_YUVA = 0x66,
    CU_EGL_COLOR_FORMAT_YUV = 0x67,
    CU_EGL_COLOR_FORMAT_YVYU = 0x68,
    CU_EGL_COLOR_FORMAT_VYUY = 0x69,
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_ER = 0x6A,
    CU_EGL_COLOR_FORMAT_Y10V10U10_420_SEMIPLANAR_709_ER = 0x6B,
    CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_ER = 0x6C,
    CU_EGL_COLOR_FORMAT_Y10V10U10_444_SEMIPLANAR_709_ER = 0x6D,
    CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_ER = 0x6E,
    CU_EGL_COLOR_FORMAT_Y12V12U12_420_SEMIPLANAR_709_ER = 0x6F,
    CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_ER = 0x70,
    CU_EGL_COLOR_FORMAT_Y12V12U12_444_SEMIPLANAR_709_ER = 0x71,
    CU_EGL_COLOR_FORMAT_UYVY_709 = 0x72,
    CU_EGL_COLOR_FORMAT_UYVY_709_ER = 0x73,
    CU_EGL_COLOR_FORMAT_UYVY_2020 = 0x74,
    CU_EGL_COLOR_FORMAT_MAX = 117
} CUeglColorFormat;

/** A frame of an EGL stream. */
typedef struct CUeglFrame_st {
    union {
        CUarray pArray[3];
        void *pPitch[3];
    } frame;
    unsigned int width;
    unsigned int height;
    unsigned int depth;
    unsigned int pitch;
    unsigned int planeCount;
    unsigned int numChannels;
    CUeglFrameType frameType;
    CUeglColorFormat eglColorFormat;
    CUarray_format cuFormat;
} CUeglFrame_v1;

/** The CUeglFrame_v1 in use. */
typedef CUeglFrame_v1 CUeglFrame;

/** A connection to an EGL stream. */
typedef struct CUeglStreamConnection_st *CUeglStreamConnection;

/** Planes of an EGL frame. */
#define MAX_PLANES 3

/** Wait for a frame without limit. */
#define CUDA_EGL_INFINITE_TIMEOUT 0xFFFFFFFF

/* EGL Interoperability */

/**
 * Shares an EGL image.
 *
 * @param pCudaResource receives the resource.
 * @param image the image.
 * @param flags how it will be used.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCudaResource is NULL or flags are unknown; else CUDA_ERROR_UNKNOWN: there is no EGL on this
 * device.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuGraphicsEGLRegisterImage(CUgraphicsResource *pCudaResource,
                                            EGLImageKHR image,
                                            unsigned int flags);

/**
 * Connects as the consumer of an EGL stream.
 *
 * @param conn receives the connection.
 * @param stream the EGL stream.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if stream is NULL; CUDA_ERROR_INVALID_VALUE if conn is; else CUDA_ERROR_UNKNOWN: there is no
 * EGL on this device.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamConsumerConnect(CUeglStreamConnection *conn,
                                            EGLStreamKHR stream);

/**
 * Connects as the consumer of an EGL stream and says where frames shall lie.
 *
 * @param conn receives the connection.
 * @param stream the EGL stream.
 * @param flags where frames lie: device or system memory.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if stream is NULL; CUDA_ERROR_INVALID_VALUE if conn is; else CUDA_ERROR_UNKNOWN: there is no
 * EGL on this device.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamConsumerConnectWithFlags(CUeglStreamConnection *conn,
                                                     EGLStreamKHR stream,
                                                     unsigned int flags);

/**
 * Ends the connection of a consumer.
 *
 * @param conn the connection.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if conn or what it points to is NULL; else CUDA_ERROR_INVALID_VALUE: nothing is connected.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamConsumerDisconnect(CUeglStreamConnection *conn);

/**
 * Takes the next frame from an EGL stream.
 *
 * @param conn the connection.
 * @param pCudaResource receives the frame's resource.
 * @param pStream the stream on which the frame is used, or NULL.
 * @param timeout how long to wait, in microseconds.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if conn, what it points to, or pCudaResource is NULL; else CUDA_ERROR_INVALID_VALUE: nothing is connected.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamConsumerAcquireFrame(CUeglStreamConnection *conn,
                                                 CUgraphicsResource *pCudaResource,
                                                 CUstream *pStream,
                                                 unsigned int timeout);

/**
 * Gives a frame back to an EGL stream.
 *
 * @param conn the connection.
 * @param pCudaResource the frame's resource.
 * @param pStream the stream on which the frame is used, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if conn, what it points to, or pCudaResource is NULL; else CUDA_ERROR_INVALID_VALUE: nothing is connected.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamConsumerReleaseFrame(CUeglStreamConnection *conn,
                                                 CUgraphicsResource pCudaResource,
                                                 CUstream *pStream);

/**
 * Connects as the producer of an EGL stream.
 *
 * @param conn receives the connection.
 * @param stream the EGL stream.
 * @param width width of frames in pixels.
 * @param height height of frames in pixels.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if stream is NULL; CUDA_ERROR_INVALID_VALUE if conn is; else CUDA_ERROR_UNKNOWN: there is no
 * EGL on this device.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamProducerConnect(CUeglStreamConnection *conn,
                                            EGLStreamKHR stream,
                                            EGLint width,
                                            EGLint height);

/**
 * Ends the connection of a producer.
 *
 * @param conn the connection.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if conn or what it points to is NULL; else CUDA_ERROR_INVALID_VALUE: nothing is connected.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamProducerDisconnect(CUeglStreamConnection *conn);

/**
 * Hands a frame to an EGL stream.
 *
 * @param conn the connection.
 * @param eglframe the frame.
 * @param pStream the stream on which the frame is used, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if conn or what it points to is NULL; else CUDA_ERROR_INVALID_VALUE: nothing is connected.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamProducerPresentFrame(CUeglStreamConnection *conn,
                                                 CUeglFrame eglframe,
                                                 CUstream *pStream);

/**
 * Takes back a frame that the consumer has released.
 *
 * @param conn the connection.
 * @param eglframe receives the frame.
 * @param pStream the stream on which the frame is used, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if conn, what it points to, or eglframe is NULL; else CUDA_ERROR_INVALID_VALUE: nothing is connected.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEGLStreamProducerReturnFrame(CUeglStreamConnection *conn,
                                                CUeglFrame *eglframe,
                                                CUstream *pStream);

/**
 * Describes the frame behind a mapped resource.
 *
 * @param eglFrame receives the frame.
 * @param resource the resource.
 * @param index number of the layer or face.
 * @param mipLevel number of the mip level.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_INVALID_VALUE: it is not one of EGL.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuGraphicsResourceGetMappedEglFrame(CUeglFrame *eglFrame,
                                                     CUgraphicsResource resource,
                                                     unsigned int index,
                                                     unsigned int mipLevel);

/**
 * Makes an event out of an EGL sync object.
 *
 * @param phEvent receives the event.
 * @param eglSync the sync object.
 * @param flags CU_EVENT_* bits.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phEvent is NULL or flags has unknown bits; else
 * CUDA_ERROR_NOT_SUPPORTED: there is no EGL on this device.
 *
 * Manual: EGL Interoperability.
 */
CUresult CUDAAPI cuEventCreateFromEGLSync(CUevent *phEvent, EGLSyncKHR eglSync, unsigned int flags);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_CUDA_EGL_H */
